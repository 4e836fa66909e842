import { httpError, type Problem, refuse, ValidationError } from '../../http/errors.ts'
import { digest, type Revision } from '../../http/representation.ts'
import type { CompanyResource } from '../declaration/define.ts'

/** The last record or entry of a page. */
export interface Last {
  phase: 'snapshot' | 'changes'
  resource: string
  id: number
}

/** A position in a company's change feed, and what a client has seen up to it. */
export interface Cursor {
  company: number
  /** Names of the resources, in the order of the feed. */
  resources: string[]
  /** The revision that the last page shows. 0 of a client without records. */
  seen: Revision
  /** For each resource, the highest id at the last page. A client can only know records up to it. */
  ids: number[]
  /** The log is read from here. In the snapshot: the revision at its start. */
  after: number
  /** The last record in the snapshot, or the last entry of revision `after` in the log. Undefined after all entries of `after`. */
  last: Last | undefined
}

/** Why a client must start again: changes are purged, the database was restored, or a release changed the form of records. */
export const resyncReasons = ['truncated', 'forked', 'schema'] as const

export type ResyncReason = typeof resyncReasons[number]

/** The 410 for a cursor that cannot be continued. */
export function resync (reason: ResyncReason) {
  return httpError(410, { extra: () => ({ reason }) })
}

/** The parameters of the feed, as validated by their schema. */
export interface FeedQuery {
  cursor?: string
  resources?: string[]
  page_size?: number
}

/** Digest of the form of records. A release that changes it makes clients read all records again. */
export function formOf (resources: readonly CompanyResource[]): string {
  return digest(JSON.stringify(resources.map(({ name, stored }) => [name, stored.json]))).slice(0, 6)
}

/** The text of a cursor. Clients must not interpret it. */
export function printCursor (form: string, { company, resources, seen: { revision, stamp }, ids, after, last }: Cursor): string {
  const parts = [form, company, resources.join(), revision, stamp, after, ids, ...last === undefined ? [] : [last.phase, last.resource, last.id]]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

const isNatural = (value: unknown): value is number => Number.isSafeInteger(value) && value as number >= 0

/**
 * Reads the cursor of a request.
 * @param all the resources of the feed, in order
 * @returns undefined without a cursor
 * @throws {ValidationError} under `cursor` and `resources`; {@link HttpError} 409 for another company, 410 for another form of records
 */
export function readCursor ({ cursor, resources }: FeedQuery, all: readonly CompanyResource[], company: number): Cursor | undefined {
  if (cursor === undefined) return undefined
  const parts = partsOf(cursor)
  const problems: Problem[] = parts === undefined ? [{ field: 'cursor', key: 'invalidCursor' }] : []
  const [form, owner, names = '', revision, stamp, after, ids, phase, resource, id] = parts ?? []
  if (parts !== undefined && resources !== undefined && ordered(resources, all).join() !== names) problems.push({ field: 'resources', key: 'cursorResources' })
  refuse(problems)
  if (owner !== company) throw httpError(409, { code: 'company_changed', key: 'companyChanged' })
  // Another release can have other parts, so their values are checked last.
  if (form !== formOf(all)) throw resync('schema')
  const wanted = names.split(',')
  const last = phase === undefined ? undefined : lastOf(phase, resource, id, wanted)
  const areKnown = names !== '' && wanted.join() === ordered(wanted, all).join()
  if (!areKnown || last === 'invalid' || !isNatural(revision) || !isNatural(stamp) || !isNatural(after) || after > revision || !areIds(ids, wanted.length)) {
    throw new ValidationError([{ field: 'cursor', key: 'invalidCursor' }])
  }
  return { company, resources: wanted, seen: { revision, stamp }, ids, after, last }
}

function lastOf (phase: unknown, resource: unknown, id: unknown, wanted: string[]): Last | 'invalid' {
  if (typeof resource !== 'string' || !/^\w{1,32}$/.test(resource) || !isNatural(id)) return 'invalid'
  // An entry of the log can be of another resource.
  if (phase === 'changes' || (phase === 'snapshot' && wanted.includes(resource))) return { phase, resource, id }
  return 'invalid'
}

function areIds (value: unknown, length: number): value is number[] {
  return Array.isArray(value) && value.length === length && value.every(isNatural)
}

/** The names in the order of the feed, without repetitions. */
export function ordered (names: readonly string[], all: readonly CompanyResource[]): string[] {
  return all.map(({ name }) => name).filter(name => names.includes(name))
}

/** The parts of a cursor of any release. Only the first three have the same form in all. */
type Parts = [form: string, company: number, resources: string, ...rest: unknown[]]

/** @returns undefined if the text is no cursor */
function partsOf (text: string): Parts | undefined {
  const bytes = Buffer.from(text, 'base64url')
  // Decoding ignores characters that are not base64url. A cursor has none.
  if (bytes.toString('base64url') !== text) return undefined
  try {
    const parts = JSON.parse(bytes.toString())
    const [form, company, resources] = parts
    const isCursor = Array.isArray(parts) && typeof form === 'string' && isNatural(company) && typeof resources === 'string'
    return isCursor ? parts as Parts : undefined
  } catch {
    return undefined
  }
}
