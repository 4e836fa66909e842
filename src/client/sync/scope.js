import { clientError } from '../errors.js'
import { randomUuid } from '../random.js'

/** @import { FailureCode } from '../index.d.ts' */
/** @import { Id, Resource, Transaction } from './index.d.ts' */
/** @import { Edit } from './edit.js' */

/**
 * A copy of the server's records, or one that is being received.
 * @typedef {object} Copy
 * @property {number} generation number of the copy; a newer one replaces it as a whole
 * @property {string} [cursor] where the feed continues
 * @property {Record<string, number>} counts records by resource
 * @property {SelectionQuery} [selection] of its first page
 * @property {true} [isChosen] the app wants another selection: the server has just continued at the cursor of the copy before
 */

/**
 * What a device keeps about one user in one company, besides records, edits and ids.
 * @typedef {object} State
 * @property {string} device
 * @property {number} last number of the last edit
 * @property {number} [acknowledged] number up to which a request without edits has acknowledged results
 * @property {true} [isTaken] another device has sent mutations under this one's id and numbers
 * @property {Copy} [copy] complete: the state of `revision`
 * @property {Copy} [next] being received; takes the place of `copy` when it is complete
 * @property {number} [revision]
 * @property {number} [lastSync] ms since 1970
 * @property {string} [error] message of the last synchronization, if it failed
 * @property {FailureCode} [code] what `error` means
 */

/**
 * The server's id of a record created here.
 * @typedef {object} ServerId
 * @property {string} resource
 * @property {number} id
 * @property {string} [created] the time of its creation on the server
 */

/**
 * A selection as the feed takes it; a parameter that is left out has the feed's default. A copy keeps the query of its first page, because
 * its cursor does.
 * @typedef {{ resources?: Resource[], contracts?: string[] }} SelectionQuery
 */

/** @typedef {(resource: string, id: number) => Id} LocalIds the id on this device for the server's id */

/** Key of the active company of a user. @param {number} user */
export const companyKey = user => `company/${user}`

/** Prefix of the keys of a user's entries, in all companies. @param {number} user */
export const userPrefix = user => `store/${user}/`

/** The company in a key of a user's entry. @param {string} key */
export const companyIn = key => Number(key.split('/')[2])

/** Whether a key of a user's entry is that of an edit. @param {string} key */
export const isEditKey = key => key.split('/')[3] === 'edit'

/** Whether a key of a user's entry is that of a file. @param {string} key */
export const isFileKey = key => key.split('/')[3] === 'file'

/** Whether a key of a user's entry is that of a state. @param {string} key */
export const isStateKey = key => key.split('/')[3] === 'state'

/**
 * What stays of a state when the user's data is deleted. A new id each time would be another device for the server, which limits them. A
 * device without edits is unknown to the server.
 * @param {State} state
 * @returns {State | undefined}
 */
export function identityOf ({ device, last }) {
  return last === 0 ? undefined : { device, last }
}

/** The keys of a user's entries in a company, within one transaction. */
export class Scope {
  /**
   * @param {Transaction} transaction
   * @param {number} user
   * @param {number} company
   */
  constructor (transaction, user, company) {
    this.transaction = transaction
    this.company = company
    this.prefix = `${userPrefix(user)}${company}/`
    this.stateKey = `${this.prefix}state`
    this.edits = `${this.prefix}edit/`
    this.files = `${this.prefix}file/`
    this.serverIds = `${this.prefix}server-id/`
    this.localIdPrefix = `${this.prefix}local-id/`
  }

  /** @param {number} number */
  editKey (number) {
    return `${this.edits}${padded(number)}`
  }

  /** @param {number} generation @param {string} [resource] */
  recordsPrefix (generation, resource) {
    return `${this.prefix}record/${generation}/${resource === undefined ? '' : `${resource}/`}`
  }

  /** @param {number} generation @param {string} resource @param {number} id */
  recordKey (generation, resource, id) {
    return `${this.recordsPrefix(generation, resource)}${padded(id)}`
  }

  /** Key of the server's id of a record created here. @param {string} id */
  serverIdKey (id) {
    return `${this.serverIds}${id}`
  }

  /** Key of the id that this device uses for a record created here. @param {string} resource @param {number} id */
  localIdKey (resource, id) {
    return `${this.localIdPrefix}${resource}/${id}`
  }

  /** @returns {Promise<State>} */
  async state () {
    const [state] = await this.transaction.read([this.stateKey])
    return /** @type {State | undefined} */ (state) ?? { device: randomUuid(), last: 0 }
  }

  /** @param {State} state */
  async saveState (state) {
    await this.transaction.write([[this.stateKey, state]])
  }

  /** The edits, in order. @returns {Promise<Edit[]>} */
  async allEdits () {
    return (await this.transaction.list(this.edits)).map(([, edit]) => /** @type {Edit} */ (edit))
  }

  /**
   * The server's ids of records created here.
   * @param {string[]} ids
   * @returns {Promise<Map<string, ServerId>>} without unknown ones
   */
  async serverIdsOf (ids) {
    const found = await this.transaction.read(ids.map(id => this.serverIdKey(id)))
    return new Map(ids.flatMap((id, index) => found[index] === undefined ? [] : [[id, /** @type {ServerId} */ (found[index])]]))
  }

  /** Finds the ids that this device uses. @returns {Promise<LocalIds>} */
  async localIds () {
    const prefix = this.localIdPrefix
    const local = new Map((await this.transaction.list(prefix)).map(([key, id]) => [key.slice(prefix.length), /** @type {string} */ (id)]))
    return (resource, id) => local.get(`${resource}/${id}`) ?? id
  }
}

/** The generation that the app sees. The first copy is visible while it is received. @param {State} state */
export function visibleGeneration ({ copy, next }) {
  return (copy ?? next)?.generation ?? 0
}

/** The error without a user, or without an active company of the user. */
export function withoutScope () {
  return clientError(401, 'not_authenticated', 'The store needs a user, and one synchronization with an active company.')
}

/** @param {number} number */
export function padded (number) {
  return String(number).padStart(16, '0')
}
