import { clientError } from '../errors.ts'
import { randomUuid } from '../random.ts'
import type { FailureCode } from '../failure.ts'
import type { Id, Resource, Transaction } from './types.ts'
import type { Edit } from './edit.ts'

/** A copy of the server's records, or one that is being received. */
export interface Copy {
  /** Number of the copy; a newer one replaces it as a whole. */
  generation: number
  /** Where the feed continues. */
  cursor?: string
  /** Records by resource. */
  counts: Record<string, number>
  /** The selection of its first page. */
  selection?: SelectionQuery
  /** The app wants another selection: the server has just continued at the cursor of the copy before. */
  isChosen?: true
}

/** What a device keeps about one user in one company, besides records, edits and ids. */
export interface State {
  device: string
  /** Number of the last edit. */
  last: number
  /** Number up to which a request without edits has acknowledged results. */
  acknowledged?: number
  /** Another device has sent mutations under this one's id and numbers. */
  isTaken?: true
  /** Complete: the state of `revision`. */
  copy?: Copy
  /** Being received; takes the place of `copy` when it is complete. */
  next?: Copy
  revision?: number
  /** Ms since 1970. */
  lastSync?: number
  /** Message of the last synchronization, if it failed. */
  error?: string
  /** What `error` means. */
  code?: FailureCode
}

/** The server's id of a record created here. */
export interface ServerId {
  resource: string
  id: number
  /** The time of its creation on the server. */
  created?: string
}

/**
 * A selection as the feed takes it; a parameter that is left out has the feed's default. A copy keeps the query of its first page, because
 * its cursor does.
 */
export type SelectionQuery = { resources?: Resource[], contracts?: string[] }

/** The id on this device for the server's id. */
export type LocalIds = (resource: string, id: number) => Id

/** Key of the active company of a user. */
export const companyKey = (user: number) => `company/${user}`

/** Prefix of the keys of a user's entries, in all companies. */
export const userPrefix = (user: number) => `store/${user}/`

/** The company in a key of a user's entry. */
export const companyIn = (key: string) => Number(key.split('/')[2])

/** Whether a key of a user's entry is that of an edit. */
export const isEditKey = (key: string) => key.split('/')[3] === 'edit'

/** Whether a key of a user's entry is that of a file. */
export const isFileKey = (key: string) => key.split('/')[3] === 'file'

/** Whether a key of a user's entry is that of a state. */
export const isStateKey = (key: string) => key.split('/')[3] === 'state'

/**
 * What stays of a state when the user's data is deleted. A new id each time would be another device for the server, which limits them. A
 * device without edits is unknown to the server.
 */
export function identityOf ({ device, last }: State): State | undefined {
  return last === 0 ? undefined : { device, last }
}

/** The keys of a user's entries in a company, within one transaction. */
export class Scope {
  readonly transaction: Transaction
  readonly company: number
  readonly prefix: string
  readonly stateKey: string
  readonly edits: string
  readonly files: string
  readonly serverIds: string
  readonly localIdPrefix: string

  constructor (transaction: Transaction, user: number, company: number) {
    this.transaction = transaction
    this.company = company
    this.prefix = `${userPrefix(user)}${company}/`
    this.stateKey = `${this.prefix}state`
    this.edits = `${this.prefix}edit/`
    this.files = `${this.prefix}file/`
    this.serverIds = `${this.prefix}server-id/`
    this.localIdPrefix = `${this.prefix}local-id/`
  }

  editKey (number: number) {
    return `${this.edits}${padded(number)}`
  }

  recordsPrefix (generation: number, resource?: string) {
    return `${this.prefix}record/${generation}/${resource === undefined ? '' : `${resource}/`}`
  }

  recordKey (generation: number, resource: string, id: number) {
    return `${this.recordsPrefix(generation, resource)}${padded(id)}`
  }

  /** Key of the server's id of a record created here. */
  serverIdKey (id: string) {
    return `${this.serverIds}${id}`
  }

  /** Key of the id that this device uses for a record created here. */
  localIdKey (resource: string, id: number) {
    return `${this.localIdPrefix}${resource}/${id}`
  }

  /** Reads values. The caller names their type, which the form of a key decides. */
  async read<Value> (keys: string[]): Promise<Array<Value | undefined>> {
    return await this.transaction.read(keys) as Array<Value | undefined> // only the store writes them
  }

  /** Lists entries. The caller names the type of their values, which the prefix decides. */
  async list<Value> (prefix: string): Promise<Array<[key: string, value: Value]>> {
    return await this.transaction.list(prefix) as Array<[key: string, value: Value]> // only the store writes them
  }

  async state (): Promise<State> {
    const [state] = await this.read<State>([this.stateKey])
    return state ?? { device: randomUuid(), last: 0 }
  }

  async saveState (state: State) {
    await this.transaction.write([[this.stateKey, state]])
  }

  /** The edits, in order. */
  async allEdits (): Promise<Edit[]> {
    return (await this.list<Edit>(this.edits)).map(([, edit]) => edit)
  }

  /**
   * The server's ids of records created here.
   * @returns without unknown ones
   */
  async serverIdsOf (ids: string[]): Promise<Map<string, ServerId>> {
    const found = await this.read<ServerId>(ids.map(id => this.serverIdKey(id)))
    return new Map(found.flatMap((serverId, index) => serverId === undefined ? [] : [[ids[index], serverId]]))
  }

  /** Finds the ids that this device uses. */
  async localIds (): Promise<LocalIds> {
    const prefix = this.localIdPrefix
    const local = new Map((await this.list<string>(prefix)).map(([key, id]) => [key.slice(prefix.length), id]))
    return (resource, id) => local.get(`${resource}/${id}`) ?? id
  }
}

/** The generation that the app sees. The first copy is visible while it is received. */
export function visibleGeneration ({ copy, next }: State) {
  return (copy ?? next)?.generation ?? 0
}

/** The error without a user, or without an active company of the user. */
export function withoutScope () {
  return clientError(401, 'not_authenticated', 'The store needs a user, and one synchronization with an active company.')
}

export function padded (number: number) {
  return String(number).padStart(16, '0')
}
