import { clientError } from '../errors.js'
import { askForCompany, knownCompany } from './companies.js'
import { Scope } from './scope.js'

/** @import { ObraClient } from '../index.d.ts' */
/** @import { Storage } from './index.d.ts' */
/** @import { Selection } from './selection.js' */

/**
 * The transactions and requests of one user in one company.
 * @typedef {object} Exchange
 * @property {ObraClient} client
 * @property {number} user
 * @property {number} company
 * @property {Selection} selection
 * @property {<Result>(work: (scope: Scope) => Promise<Result>) => Promise<Result>} write
 * @property {AbortSignal} signal ends the synchronization
 * @property {() => { signal: AbortSignal, fetch: ReturnType<ObraClient['fetchAs']> }} request options of a request
 */

/** Time in ms after which an attempt without an answer has failed. */
const maxAttemptMs = 60_000

/**
 * Begins a synchronization for the present user and company.
 * @param {ObraClient} client
 * @param {Storage} storage
 * @param {Selection} selection
 * @param {AbortSignal} signal
 * @returns {Promise<Exchange>}
 */
export async function beginExchange (client, storage, selection, signal) {
  const as = (/** @type {number | undefined} */ user) => {
    const fetch = client.fetchAs(user)
    // A request of openapi-fetch has no time limit of its own.
    const timed = async (/** @type {Request} */ input) => await fetch(input, { signal, attemptMs: maxAttemptMs })
    return { signal, fetch: timed }
  }
  const known = client.user === undefined ? undefined : { user: client.user, company: await knownCompany(storage, client.user) }
  const { user, company } = known?.company == null ? await askForCompany(client, as(undefined)) : known
  if (company == null) throw clientError(403, 'no_company', 'The user has no active company.')
  return {
    client,
    user,
    company,
    selection,
    signal,
    write: async work => await storage.transaction('write', async transaction => await work(new Scope(transaction, user, company))),
    request: () => as(user)
  }
}
