import { descriptionOf } from './descriptions.ts'
import type { Description } from './descriptions.ts'
import type { components } from '../api.d.ts'
import type { Id } from './types.ts'

export type Values = Record<string, any>
export type Mutation = components['schemas']['Mutation']
export type Result = components['schemas']['MutationResult']

/**
 * Why this device has refused an edit itself, or set it apart.
 * - `removed`: it refers to a record that was removed here
 * - `lost`: the server was restored and no longer has a record that it names
 * - `unknown`: the server was restored, and the copy cannot show whether it has a record that it names
 * - `proxy`: it did not reach the server
 */
export type Reason = 'removed' | 'lost' | 'unknown' | 'proxy'

/** What the user saw of a record before its removal, and the edits that the removal must wait for (`removals.ts`). */
export interface Seen {
  /** Records with earlier edits that can raise the version. */
  after: string[]
  /** The server's record. */
  record?: Values
  /** Versions of the records that the server removes with it. */
  parts: Record<string, number>
}

/**
 * An edit of this device. References in `base` and `body` are ids of the device.
 * - `queued`: not sent yet, can still change
 * - `sent`: its mutation is fixed and is sent until the server answers
 * - `accepted`: until the records show it
 * - `conflict`, `refused`: until the app resolves it
 * - `blocked`: set apart, because a proxy does not let it through. The server can have it nevertheless
 */
export interface Edit {
  /** Id of its mutation. */
  number: number
  op: 'create' | 'update' | 'delete'
  resource: string
  record: Id
  /** Previous values of the fields in `body`. */
  base?: Values
  body?: Values
  /** Version that a removal expects. */
  version?: number
  /** What the user saw, if earlier edits of other records can raise the version that a removal expects. */
  seen?: Seen
  /**
   * Times of creation of the server's records that it names, by `resource/id`: on a restored server, an id can belong to another
   * record.
   */
  createdAt?: Record<string, string>
  status: 'queued' | 'sent' | 'accepted' | 'conflict' | 'refused' | 'blocked'
  mutation?: Mutation
  /** With a `reason` if this device refuses the edit itself. */
  result?: Result & { reason?: Reason }
  /** Synchronizations in which its mutation failed, and others did not. */
  failures?: number
  /** When it was blocked, in ms since 1970. */
  blockedAt?: number
}

/** The references of a resource: fields of bodies, with resource and field of records. */
export function referencesOf (resource: string): Description['references'] {
  return descriptionOf(resource).references
}

/** The references in records of a resource: fields with the resource of the record that they name. */
export function shownReferencesOf (resource: string): Array<[field: string, resource: string]> {
  const { shown = {} } = descriptionOf(resource)
  const written = Object.values(referencesOf(resource)).map(({ resource, field }): [string, string] => [field, resource])
  return [...written, ...Object.entries(shown)]
}

/** Whether an id was made by this device. A text can also be the name of a record. */
export function isLocalId (id: unknown): id is string {
  return typeof id === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id)
}

/** Whether an edit waits for the app. */
export function isOpen ({ status }: Pick<Edit, 'status'>) {
  return status === 'conflict' || status === 'refused' || status === 'blocked'
}

/** Whether the server does not have the edit, and cannot get it meanwhile. */
export function isChangeable ({ status }: Edit) {
  return status === 'queued' || isOpen({ status })
}

/** The ids of records created on this device that an edit refers to. */
export function referredIn ({ resource, body = {}, base = {} }: Edit): string[] {
  return Object.keys(referencesOf(resource)).flatMap(field => [body[field], base[field]]).filter(isLocalId)
}

/**
 * The version of a record after accepted edits. Each one raises it by at most one. If it has become higher, another device has changed the
 * record too, and the user has not seen that.
 * @param version that the user saw; undefined for a new record
 * @param edits of the record, in order
 */
export function versionAfter (version: number | undefined, edits: Edit[]) {
  return edits.reduce((known, { result }) => {
    const next = result?.record?.version
    return next !== undefined && (known === undefined || next === known + 1) ? next : known
  }, version)
}

export function only (values: Values, isKept: (field: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([field]) => isKept(field)))
}
