import { httpError, type Problem, refuse } from '../../http/errors.ts'
import { digest, type Revision } from '../../http/representation.ts'
import type { CompanyResource } from '../declaration/define.ts'

/** A record on a page of the feed. */
export interface Place {
  phase: 'snapshot' | 'changes'
  resource: string
  id: number
}

/** A position in a company's change feed, and what a client has seen up to it. */
export interface Cursor {
  company: number
  /** Names of the resources, in the order of the feed. */
  resources: string[]
  /** The revision that the last page shows. */
  seen: Revision
  /** For each resource, an id that no record had exceeded when the client last saw a page. */
  ids: number[]
  /** Changes after this revision follow. In the snapshot: the revision at its start. */
  after: number
  /** The last record in the snapshot, or the last entry of revision `after` in the log. Undefined after all entries of `after`. */
  place: Place | undefined
}

/** Why a client must start again. */
export type ResyncReason = 'truncated' | 'forked' | 'schema'

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
export function schemaOf (resources: readonly CompanyResource[]): string {
  return digest(JSON.stringify(resources.map(({ name, stored }) => [name, stored.json]))).slice(0, 6)
}

/** The text of a cursor. Clients must not interpret it. */
export function printCursor (schema: string, { company, resources, seen: { revision, stamp }, ids, after, place }: Cursor): string {
  const parts = [schema, company, resources.join(), revision, stamp, after, ids, ...place === undefined ? [] : [place.phase, place.resource, place.id]]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

const isNatural = (value: unknown) => Number.isSafeInteger(value) && value as number >= 0

/**
 * Reads the cursor of a request.
 * @param all the resources of the feed, in order
 * @returns undefined without a cursor
 * @throws {ValidationError} under `cursor` and `resources`; {@link HttpError} 409 for another company, 410 for another schema
 */
export function cursorOf ({ cursor, resources }: FeedQuery, all: readonly CompanyResource[], company: number): Cursor | undefined {
  if (cursor === undefined) return undefined
  const parts = partsOf(cursor)
  const problems: Problem[] = parts === undefined ? [{ field: 'cursor', key: 'invalidCursor' }] : []
  const [schema, owner, names = '', revision, stamp, after, ids, phase, resource, id] = parts ?? []
  if (parts !== undefined && resources !== undefined && ordered(resources, all).join() !== names) problems.push({ field: 'resources', key: 'cursorResources' })
  refuse(problems)
  if (owner !== company) throw httpError(409, { code: 'company_changed', key: 'companyChanged' })
  if (schema !== schemaOf(all)) throw resync('schema')
  const known = names.split(',')
  const isValid = known.join() === ordered(known, all).join() && [revision, stamp, after].every(isNatural) && ids.length === known.length && ids.every(isNatural) &&
    (phase === undefined || (typeof resource === 'string' && isNatural(id) && (phase === 'changes' || (phase === 'snapshot' && known.includes(resource)))))
  if (!isValid) refuse([{ field: 'cursor', key: 'invalidCursor' }])
  return { company, resources: known, seen: { revision, stamp }, ids, after, place: phase === undefined ? undefined : { phase, resource, id } }
}

/** The names in the order of the feed, without repetitions. */
export function ordered (names: readonly string[], all: readonly CompanyResource[]): string[] {
  return all.map(({ name }) => name).filter(name => names.includes(name))
}

type Parts = [schema: string, company: number, resources: string, revision: any, stamp: any, after: any, ids: any, phase?: any, resource?: any, id?: any]

/** @returns undefined if the text is no cursor */
function partsOf (text: string): Parts | undefined {
  const bytes = Buffer.from(text, 'base64url')
  // Decoding ignores characters that are not base64url. A cursor has none.
  if (bytes.toString('base64url') !== text) return undefined
  try {
    const parts = JSON.parse(bytes.toString())
    const [schema, company, resources] = parts
    const isCursor = Array.isArray(parts) && typeof schema === 'string' && isNatural(company) && typeof resources === 'string' && Array.isArray(parts[6])
    return isCursor ? parts as Parts : undefined
  } catch {
    return undefined
  }
}
