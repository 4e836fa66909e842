/** @import { Id, Transaction } from './index.d.ts' */
/** @import { Edit } from './edits.js' */

/**
 * A copy of the server's records, or one that is being received.
 * @typedef {object} Copy
 * @property {number} generation number of the copy; a newer one replaces it as a whole
 * @property {string} [cursor] where the feed continues
 * @property {Record<string, number>} counts records by resource
 */

/**
 * What a device keeps about one user in one company, besides records, edits and names.
 * @typedef {object} State
 * @property {string} device
 * @property {number} last number of the last edit
 * @property {Copy} [copy] complete: the state of `revision`
 * @property {Copy} [next] being received; takes the place of `copy` when it is complete
 * @property {number} [revision]
 * @property {number} [lastSync] ms since 1970
 * @property {string} [error]
 */

/** @typedef {Record<string, any>} Values */
/** @typedef {{ resource: string, id: number, created?: string }} Name the server's id of a record created here, and the time of its creation there */

/** @typedef {(resource: string, id: number) => Id} OwnIds */

/** Key of the active company of a user. @param {number} user */
export const companyKey = user => `company/${user}`

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
    this.prefix = `store/${user}/${company}/`
    this.stateKey = `${this.prefix}state`
    this.edits = `${this.prefix}edit/`
    this.names = `${this.prefix}name/`
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
  nameKey (id) {
    return `${this.names}${id}`
  }

  /** Key of the id that this device uses for a record created here. @param {string} resource @param {number} id */
  ownIdKey (resource, id) {
    return `${this.prefix}own/${resource}/${id}`
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
   * @returns {Promise<Map<string, Name>>} without unknown ones
   */
  async namesOf (ids) {
    const names = await this.transaction.read(ids.map(id => this.nameKey(id)))
    return new Map(ids.flatMap((id, index) => names[index] === undefined ? [] : [[id, /** @type {Name} */ (names[index])]]))
  }

  /** The ids that this device uses for records that were created here. @returns {Promise<OwnIds>} */
  async ownIds () {
    const prefix = `${this.prefix}own/`
    const own = new Map((await this.transaction.list(prefix)).map(([key, id]) => [key.slice(prefix.length), /** @type {string} */ (id)]))
    return (resource, id) => own.get(`${resource}/${id}`) ?? id
  }
}

/** The generation that the app sees. The first copy is visible while it is received. @param {State} state */
export function visibleGeneration ({ copy, next }) {
  return (copy ?? next)?.generation ?? 0
}

/** @param {number} number */
function padded (number) {
  return String(number).padStart(16, '0')
}

/** `crypto.randomUUID` does not exist on pages without HTTPS. */
export function randomUuid () {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, index) => (index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0'))
  return [hex.slice(0, 4), hex.slice(4, 6), hex.slice(6, 8), hex.slice(8, 10), hex.slice(10)].map(part => part.join('')).join('-')
}
