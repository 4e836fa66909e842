import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

/** Media types of answers that are neither JSON nor CSV: drawings, and pages to print. */
export const mediaTypes = { svg: 'image/svg+xml', pdf: 'application/pdf' } as const

/** One of {@link mediaTypes}. */
export type MediaType = typeof mediaTypes[keyof typeof mediaTypes]

/** A media type of answers. */
export type AnswerType = 'application/json' | 'text/csv' | MediaType

/** A parameter of a media type, except its weight. Values in quotation marks can have commas. */
const parameters = /;(?!\s*q=)(?:"[^"]*"|[^;,"])*/gi

/** Types by header and offer, undefined for none. Headers are short, see `header-limits.ts`, and clients send few different ones. */
const known = new LRUCache<string, { type: string | undefined }>({ max: 500 })

/**
 * Selects the media type with the greatest weight in `Accept` (RFC 9110, §12.5.1). Of types with equal weights, one that `Accept` names is
 * preferred to one that a wildcard allows, and then an earlier one of `Accept` to a later one.
 * @param offered media types, the default first
 * @returns undefined if `Accept` allows none
 */
export function negotiated<T extends string> (accept: string | undefined, offered: readonly [T, ...T[]]): T | undefined {
  if (accept === undefined) return offered[0]
  const key = `${offered.join()} ${accept}`
  let choice = known.get(key)
  if (choice === undefined) known.set(key, choice = { type: select(accept, offered) })
  return offered.find(type => type === choice.type)
}

function select<T extends string> (accept: string, offered: readonly [T, ...T[]]): T | undefined {
  // Parameters such as `charset=utf-8` do not matter.
  const withoutParameters = accept.replace(parameters, '')
  return withoutParameters === '' ? offered[0] : new Negotiator({ headers: { accept: withoutParameters } }).mediaType(offered)
}
