import { httpError, type Problem, refuse, ValidationError } from '../../http/errors.ts'
import type { Revision } from '../../http/representation.ts'
import { compareForms, printForms } from './forms.ts'
import { maxRoots, rootOf, rootsOf } from './root.ts'
import type { Resource } from '../declaration/resource.ts'

/** The last record or entry of a page. */
export interface Last {
  phase: 'snapshot' | 'changes'
  resource: string
  id: number
  /** The root of the record, in a snapshot limited to roots. */
  root?: number
}

/** A position in a company's change feed, and what a client has seen up to it. */
export interface FeedCursor {
  company: number
  /** Names of the resources, in the order of the feed. */
  resources: string[]
  /** Ids of the roots to which it is limited, in order. */
  roots?: number[] | undefined
  /** The newest revision that the client knows: that of the last page, or of its own mutations. 0 of a client without records. */
  seen: Revision
  /** For each resource, the highest id at the last page. A client can only know records up to it. */
  ids: number[]
  /** The log is read from here. In the snapshot: the revision at its start. */
  after: number
  /** Resources that the snapshot still has to send, from that of `last` on. Empty after the snapshot. */
  pending: string[]
  /** The last record in the snapshot, or the last entry of revision `after` in the log. Undefined after all entries of `after`. */
  last: Last | undefined
}

/** Why a client must start again: changes are purged, the database was restored, or the cursor is one of another release. */
export const resyncReasons = ['truncated', 'forked', 'schema'] as const

type ResyncReason = typeof resyncReasons[number]

/** The 410 for a cursor that cannot be continued. */
export function resync (reason: ResyncReason) {
  return httpError(410, { extra: () => ({ reason }) })
}

/** The parameters of the feed, as validated by their schema. */
export interface FeedQuery {
  cursor?: string
  resources?: string[]
  page_size?: number
  device?: string
  /** The ids of roots, under the name of their resource. */
  [root: string]: unknown
}

/**
 * The text of a cursor, short because each page has one. Clients must not interpret it.
 * @param all the resources of the feed. A cursor of the usual ones names none
 */
export function printCursor (
  { company, resources, roots, pending, seen: { revision, stamp }, ids, after, last }: FeedCursor, all: readonly Resource[]
): string {
  const names = resources.join() === usualOf(all).join() ? '' : resources.join('-')
  const limit = roots === undefined ? '' : `~${roots.map(printNumber).join('-')}`
  const position = last === undefined
    ? []
    : [last.phase, last.resource, printNumber(last.id), ...last.root === undefined ? [] : [printNumber(last.root)]]
  const has = (name: string) => !pending.includes(name) || name === last?.resource
  const head = [printForms(resources, has, all), printNumber(company), names + limit]
  const numbers = [revision, stamp, after].map(printNumber)
  return [...head, ...numbers, ids.map(printNumber).join('-'), ...position].join('.')
}

const printNumber = (number: number) => number.toString(36)

/** @returns undefined if the text is no number */
function readNumber (text = ''): number | undefined {
  const number = /^[\da-z]{1,11}$/.test(text) ? Number.parseInt(text, 36) : undefined
  return Number.isSafeInteger(number) ? number : undefined
}

/**
 * Reads the cursor of a request.
 * @param all the resources of the feed, in order
 * @returns undefined without a cursor
 * @throws {ValidationError} under `cursor` and `resources`; {@link HttpError} 409 for another company, 410 for a cursor of another release
 */
export function readCursor (query: FeedQuery, all: readonly Resource[], active: number): FeedCursor | undefined {
  const { cursor, resources } = query
  if (cursor === undefined) return undefined
  const root = rootOf(all)
  const roots = root && rootsOf(query[root.name])
  const [forms, owner, subset, ...rest] = cursor.split('.')
  const company = readNumber(owner)
  const [namesText, limit] = subset?.split('~') ?? []
  const names = namesText?.split('-').filter(Boolean) ?? []
  const limited = limit?.split('-').map(readNumber)
  const wanted = names.length === 0 ? usualOf(all) : names
  const isCursor = company !== undefined && subset !== undefined
  const problems: Problem[] = isCursor ? [] : [{ field: 'cursor', key: 'invalidCursor' }]
  if (isCursor && resources !== undefined && ordered(resources, all).join() !== wanted.join()) {
    problems.push({ field: 'resources', key: 'cursorResources' })
  }
  if (isCursor && root !== undefined && roots !== undefined && roots.join() !== limited?.join()) {
    problems.push({ field: root.name, key: root.feedRoot.otherCursor })
  }
  refuse(problems)
  if (company !== active) throw httpError(409, { code: 'company_changed', key: 'companyChanged' })
  const position = positionOf(rest, wanted, all)
  const same = compareForms(forms, wanted, position && currentOf(position), all)
  // Another release can have other parts.
  if (same === undefined || (same !== 'invalid' && position === undefined && same.includes(false))) throw resync('schema')
  if (position === undefined || same === 'invalid' || !isLimit(limited) || (limited !== undefined && root === undefined)) {
    throw new ValidationError([{ field: 'cursor', key: 'invalidCursor' }])
  }
  return { company: active, resources: wanted, roots: limited, ...withChangedForms(position, wanted, same) }
}

/** The position from which a client receives also the records of resources whose form has changed, before the changes. */
function withChangedForms (position: Position, wanted: string[], same: boolean[]): Omit<FeedCursor, 'company' | 'resources' | 'roots'> {
  const { last, after } = position
  const current = currentOf(position)
  const pending = wanted.filter((name, index) => same[index] === false || name === current)
  const [first] = pending
  if (first === undefined) return { ...position, pending }
  const isContinued = first === current && same[wanted.indexOf(first)] === true
  // If a page has shown a part of a revision, the log is read again from its start.
  return {
    ...position,
    pending,
    after: last?.phase === 'changes' ? Math.max(after - 1, 0) : after,
    last: isContinued ? last : { phase: 'snapshot', resource: first, id: 0 }
  }
}

/** The resource that the snapshot has reached. */
function currentOf ({ last }: Position): string | undefined {
  return last?.phase === 'snapshot' ? last.resource : undefined
}

type Position = Omit<FeedCursor, 'company' | 'resources' | 'roots' | 'pending'>

/** The rest of a cursor, after its company and resources. @returns undefined if it is invalid */
function positionOf (
  [revisionText, stampText, afterText, idsText = '', phase, resource, idText, rootText]: string[],
  wanted: string[],
  all: readonly Resource[]
): Position | undefined {
  const [revision, stamp, after] = [revisionText, stampText, afterText].map(readNumber)
  const ids = idsText.split('-').map(readNumber)
  const last = phase === undefined ? undefined : lastOf(phase, resource, readNumber(idText), rootText, wanted)
  const areKnown = wanted.join() === ordered(wanted, all).join()
  if (!areKnown || last === 'invalid' || !areIds(ids, wanted.length)) return undefined
  if (revision === undefined || stamp === undefined || after === undefined || after > revision) return undefined
  return { seen: { revision, stamp }, ids, after, last }
}

function lastOf (
  phase: string, resource: string | undefined, id: number | undefined, rootText: string | undefined, wanted: string[]
): Last | 'invalid' {
  if (resource === undefined || !/^\w{1,32}$/.test(resource) || id === undefined) return 'invalid'
  const root = readNumber(rootText)
  if (rootText !== undefined && root === undefined) return 'invalid'
  // An entry of the log can be of another resource.
  if (phase === 'changes' || (phase === 'snapshot' && wanted.includes(resource))) {
    return { phase, resource, id, ...root !== undefined && { root } }
  }
  return 'invalid'
}

function areIds (ids: Array<number | undefined>, length: number): ids is number[] {
  return ids.length === length && !ids.includes(undefined)
}

/** Whether they are ids of roots, if the feed is limited to roots. */
function isLimit (roots: Array<number | undefined> | undefined): roots is number[] | undefined {
  return roots === undefined || (areIds(roots, roots.length) && roots.length <= maxRoots)
}

/** Names of the resources that clients receive who name none. */
export function usualOf (all: readonly Resource[]): string[] {
  return all.filter(({ feed }) => feed === 'always').map(({ name }) => name)
}

/** The names in the order of the feed, without repetitions. */
export function ordered (names: readonly string[], all: readonly Resource[]): string[] {
  return all.map(({ name }) => name).filter(name => names.includes(name))
}
