import type { components, paths } from '../api.d.ts'
import type { FailureCode } from '../failure.ts'
import type { ObraClient } from '../types.ts'
import type { ProblemCode } from '../verdicts.ts'
import type { resources } from './resources.ts'

/** Id of a record on this device: a number, or for a record created here the text that `create` returned. It never changes. */
export type Id = number | string

type Change = components['schemas']['Changes']['changes'][number]

/** Name of a synchronized resource, such as `contracts`. */
export type Resource = Change['resource'] & keyof typeof resources

/** The fields that a record of the resource stores. */
export type Stored<Name extends Resource> = Extract<Change, { resource: Name, record: unknown }>['record']

type Posted<Name extends Resource> = Exclude<paths[`/api/v1/${Name}/`]['post']['requestBody']['content']['application/json'], unknown[]>

/** Fields of a body that refer to other records. */
type Reference<Name extends Resource> = keyof typeof resources[Name]['references']

/** Fields of a record that refer to other records. */
type ShownReference<Name extends Resource> = {
  [Field in Reference<Name>]: typeof resources[Name]['references'][Field] extends { field: infer Shown extends string } ? Shown : never
}[Reference<Name>]

/** Fields of a record that refer to other records, and that the server sets. */
type SetReference<Name extends Resource> = typeof resources[Name] extends { shown: infer Shown } ? keyof Shown : never

/** Read-only fields of a body have the type `unknown`. */
type Writable<Name extends Resource> = {
  [Field in keyof Posted<Name>]-?: unknown extends Posted<Name>[Field] ? never : Field
}[keyof Posted<Name>]

/** A reference as a body has it: the id of a record on this device. */
type IdLike<Value> = Id | (null extends Value ? null : never)

/** The body of a new record, as in POST. References are ids of this device. */
export type Creation<Name extends Resource> = {
  [Field in keyof Pick<Posted<Name>, Writable<Name>>]: Field extends Reference<Name> ? IdLike<Posted<Name>[Field]> : Posted<Name>[Field]
}

/** Edited fields, as in PATCH. References are ids of this device. */
export type Patch<Name extends Resource> = Partial<Creation<Name>>

/** Whether a record has edits that are not sent, blocked, in conflict or refused. `synced` if it has none. */
export type SyncState = 'synced' | 'pending' | 'blocked' | 'conflict' | 'refused'

/**
 * A record on this device: the server's state with the edits made here. A record that the server does not have yet lacks the values that
 * the server computes, such as `version`.
 */
export type LocalRecord<Name extends Resource> =
  {
    [Field in keyof Stored<Name> & (Writable<Name> | ShownReference<Name>)]:
    Field extends ShownReference<Name> ? IdLike<Stored<Name>[Field]> : Stored<Name>[Field]
  }
  & { [Field in keyof Stored<Name> & SetReference<Name>]?: IdLike<Stored<Name>[Field]> }
  & Partial<Omit<Stored<Name>, Writable<Name> | ShownReference<Name> | SetReference<Name> | 'id'>>
  & { id: Id, sync: SyncState }

/** Values that a record must have, or a function that selects records. Without a filter: all records. */
export type Filter<Name extends Resource> = Partial<LocalRecord<Name>> | ((record: LocalRecord<Name>) => boolean)

/**
 * The records of a resource on this device. It has none without a user or active company, or if the store does not have the resource.
 */
export interface Collection<Name extends Resource> {
  get: (id: Id) => Promise<LocalRecord<Name> | undefined>
  /** Lists records in the order of their ids, new ones last. */
  list: (filter?: Filter<Name>) => Promise<Array<LocalRecord<Name>>>
  /** Calls back with the list, now and whenever it changes, also by another tab. @returns a function that stops it */
  watch: (filter: Filter<Name> | undefined, callback: (records: Array<LocalRecord<Name>>) => void) => () => void
  /**
   * Creates a record on this device and queues the creation.
   * @throws {ObraError} 401 `not_authenticated`: the store does not know the user, or has never been synchronized with an active company;
   *   409 `queue_full`: the store has 50,000 edits that are not synchronized, here, in `update` and in `remove`
   * @throws {TypeError} for a body that is no object of the resource's fields with JSON values, here and in `update`; if the store does not
   *   have the resource, here, in `update` and in `remove`
   */
  create: (body: Creation<Name>) => Promise<LocalRecord<Name>>
  /**
   * Edits a record and queues the edit. Refused edits of the record are sent again with it. An edit of a field in conflict decides the
   * conflict, if the user saw the server's value.
   * @param options.base the values that the user saw, if the record can have changed since. Default: the present values, also of conflicts
   * @throws {ObraError} 404 `not_found`, 401 `not_authenticated`, 409 `queue_full`
   */
  update: (id: Id, body: Patch<Name>, options?: { base?: Patch<Name> }) => Promise<LocalRecord<Name>>
  /**
   * Removes a record and queues the removal. Nothing is sent for a record that was never sent, if no other edit refers to it.
   * @throws {ObraError} 404 `not_found`, 401, 409
   */
  remove: (id: Id) => Promise<void>
}

/** Fields of a record that were edited here and, with another result, elsewhere. */
export interface Conflict {
  resource: Resource
  id: Id
  /** For each field in conflict: its value before the edit, the value of this device, and the value of the server. */
  fields: Record<string, { base: unknown, mine: unknown, theirs: unknown }>
  /** Sends the values of this device again. */
  keepMine: () => Promise<void>
  /** Drops the values of this device. Other fields of the same edits are sent again. */
  keepTheirs: () => Promise<void>
  /** Sends these values of fields in conflict, such as `{ monto: '125.00' }`. @throws {TypeError} for other fields, or none */
  set: (values: Record<string, unknown>) => Promise<void>
}

/** An edit that the server has refused. It stays until the app edits the record again or discards it. */
export interface Refused {
  resource: Resource
  id: Id
  op: 'create' | 'update' | 'delete'
  /** Fields of the edit. */
  body: Record<string, unknown>
  /** As in a request of its own, or 424 if a record that it refers to was refused, or removed on this device. */
  status: number
  code: string
  detail: string
  /** Messages of a 400 by field. */
  errors: Record<string, string[]>
  /** Codes of a 400 by field, in the order of the messages in `errors`. Empty from a service that has no codes yet. */
  codes: Record<string, ProblemCode[]>
  /**
   * Drops the edit. For a creation: with all later edits of the record. With `fields` of an update, the store drops these values alone, and
   * sends the others again, and those of other refused updates of the record.
   * @throws {TypeError} for another field, or if the edit is no update
   */
  discard: (fields?: string[]) => Promise<void>
}

/**
 * An edit that a proxy or firewall does not let through, while it lets others through. The server has decided nothing. The store sends the
 * edit again after an hour, with its record's later edits, which wait.
 */
export interface Blocked extends Pick<Refused, 'resource' | 'id' | 'op' | 'body'> {
  /** HTTP status of the proxy's answer. 0 if the connection breaks each time. */
  status: number
  /** `proxy_error`, `redirected`, or `offline` if the connection breaks each time. */
  code: string
  detail: string
  /** Sends the edit again in the next synchronization. */
  retry: () => Promise<void>
  /** Drops the edit. For a creation: with all later edits of the record. */
  discard: () => Promise<void>
}

export interface Status {
  /** Edits that the server has not answered, except waiting ones. */
  pending: number
  /** Edits that are not sent until an earlier edit has been resolved, which is refused, in conflict or blocked. */
  waiting: number
  /** Records in conflict. */
  conflicts: number
  /** Refused edits. */
  refused: number
  /** Edits that a proxy does not let through. */
  blocked: number
  /** Time of the last successful synchronization, in ms since 1970. */
  lastSync: number | undefined
  /** Revision of the company that the records show. Undefined before the first synchronization has ended. */
  revision: number | undefined
  /** Message of the last synchronization, if it failed. */
  error: string | undefined
  /** What `error` means, the same in each language. */
  code: FailureCode | undefined
}

/** A file that was added on this device. */
export interface DeviceFile {
  /** Id of its attachment, the record in `adjuntos`. */
  id: Id
  nombre: string
  /** Media type, such as `image/jpeg`. */
  tipo: string
  bytes: number
  /** Bytes that the server has. */
  sent: number
  /**
   * - `waiting`: for a connection, for its attachment, or for other files
   * - `sending`: by this tab
   * - `failed`: the server has refused the file or its attachment, see `error`
   * - `blocked`: a proxy does not let the file or its attachment through, see `error`. The store sends it again after an hour
   * - `done`: the server has the file
   */
  state: 'waiting' | 'sending' | 'failed' | 'blocked' | 'done'
  /** The reason of a `failed` or `blocked` file. */
  error: Pick<Refused, 'status' | 'code' | 'detail' | 'errors' | 'codes'> | undefined
}

/**
 * Fields of the attachment of a file. The store fills in `bytes` and `sha256`, and for a `File` its name. It takes `tipo` from the first
 * bytes, or else from the `Blob`. `image/jpg`, `image/pjpeg`, `image/heif`, `image/heic-sequence`, `image/heif-sequence`, `text/xml`,
 * upper case and parameters are accepted.
 */
export type FileFields =
  Omit<Creation<'adjuntos'>, 'nombre' | 'tipo' | 'bytes' | 'sha256'> & Partial<Pick<Creation<'adjuntos'>, 'nombre'>> & { tipo?: string }

/** The files that were added on this device, until some time after the server has them. */
export interface Files {
  /** The files as of the latest change, in the order in which they were added. */
  readonly progress: DeviceFile[]
  /** Calls back when `progress` has changed. @returns a function that stops it */
  onProgress: (callback: (files: DeviceFile[]) => void) => () => void
  /**
   * Creates an attachment on this device, and keeps its file until the server has it.
   * @throws {ObraError} 413 `too_large`: more than 25 MiB; 409 `files_full`: 128 MiB of the user in this company wait on this device; 401,
   *   409 as in `create`
   * @throws {TypeError} for fields that `create` refuses, without `nombre`, for a `tipo` that the service does not take, without a `tipo`
   *   that something shows, if the store does not have `adjuntos`, or without the
   *   option `sha256` on a page without HTTPS and in React Native; if this option does not return the 32 bytes of a hash
   */
  add: (file: Blob | Uint8Array, fields: FileFields) => Promise<LocalRecord<'adjuntos'>>
  list: () => Promise<DeviceFile[]>
  /** The bytes of a file. Undefined if they are not on this device. Rejects in React Native, which makes no `Blob` of bytes. */
  get: (id: Id) => Promise<Blob | undefined>
  /** Sends a failed or blocked file again, and its attachment if that was refused or blocked. @throws {ObraError} 404 `not_found` */
  retry: (id: Id) => Promise<void>
  /** Drops a file. If the server does not have it, its attachment is removed. @throws {ObraError} 404 `not_found` */
  discard: (id: Id) => Promise<void>
}

/** A copy of the active company's records for reads and edits without a connection. */
export interface Store extends Readonly<{ [Name in Resource]: Collection<Name> }> {
  readonly status: Status
  readonly conflicts: Conflict[]
  readonly refused: Refused[]
  readonly blocked: Blocked[]
  readonly files: Files
  /** Calls back when status, conflicts, refused or blocked edits have changed. @returns a function that stops it */
  onStatus: (callback: (status: Status) => void) => () => void
  /**
   * Sends the queued edits, receives changes, then sends files. If another tab is synchronizing, waits for it first.
   * @throws {ObraError} for an answer that is not a success, or not the server's
   * @throws {ConnectionError} without a connection
   */
  sync: (options?: { signal?: AbortSignal }) => Promise<void>
  /**
   * Synchronizes from now on: after edits, when the server has changes, when the connection is back, and every few minutes. One of several
   * tabs does it for all.
   */
  start: () => void
  stop: () => Promise<void>
  /**
   * Deletes the current user's records, edits and files of all companies from this device, but not the id of the device. Stop the store
   * first: a synchronization brings the records back.
   * @throws {ObraError} 409 `pending` if the server has not accepted all edits and files, unless `force`
   */
  clear: (options?: { force?: boolean }) => Promise<void>
  /** Stops, ends synchronizations and closes the storage. */
  close: () => Promise<void>
}

/** Operations of a transaction. Keys are ASCII text. Values are JSON, or bytes as `Uint8Array`. */
export interface Transaction {
  /** Reads values; undefined for keys without a value. */
  read: (keys: string[]) => Promise<unknown[]>
  /** Lists the entries whose keys begin with the prefix, in the order of keys. */
  list: (prefix: string) => Promise<Array<[key: string, value: unknown]>>
  /** Writes values; undefined deletes. */
  write: (changes: Array<[key: string, value: unknown]>) => Promise<void>
}

/**
 * Keeps the entries of a store: an ordered table of keys and values. For SQLite: `create table entries (key text primary key, value any)`.
 */
export interface Storage {
  /**
   * Runs `work` in a transaction: it sees one state, and all of its writes are kept, or none. Resolves when they are durable.
   * `work` waits for nothing but the operations of its transaction.
   */
  transaction: <Result>(mode: 'read' | 'write', work: (transaction: Transaction) => Promise<Result>) => Promise<Result>
  /** Runs `work` while no other tab runs work under this name. @throws the reason of the signal, if it aborts before `work` has begun */
  lock: <Result>(name: string, work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>
  /** Calls the listener after each write, also of other tabs. @returns a function that stops it */
  subscribe: (listener: () => void) => () => void
  close: () => Promise<void>
}

export interface StoreOptions {
  /**
   * The store belongs to the user of its tokens. Keep them (`onTokens`), so that the app shows records after a start without a connection.
   */
  client: ObraClient
  storage: Storage
  /**
   * Names of the resources that the store has. Resources that they refer to are added: `['generadores']` has also `contrapartes`,
   * `contracts`, `estimates`, `convenios` and `conceptos`. Collections of other resources have no records and refuse edits with a
   * `TypeError`. Default: `contrapartes`, `contracts` and `estimates`.
   */
  resources?: readonly Resource[]
  /**
   * Ids of at most 100 contracts. The store has only these contracts, their records, and all counterparties. It has a subcontract only if
   * its id is named too. A record of another contract that is created here leaves this device when the server has it. Default: all
   * contracts.
   */
  contracts?: readonly Id[]
  /**
   * Calculates the SHA-256 hash of a file that is added. Default: `crypto.subtle`. `files.add` needs this option where `crypto.subtle` is
   * missing, as in React Native. Returns the 32 bytes of the hash, not its hexadecimal text.
   */
  sha256?: (bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>
}
