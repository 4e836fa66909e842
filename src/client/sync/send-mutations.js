import { ConnectionError, isOfProxy, unwrapChecked } from '../errors.js'

/** @import { components } from '../index.d.ts' */
/** @import { Edit, Mutation } from './edit.js' */
/** @import { Exchange } from './exchange.js' */
/** @typedef {{ device: string, cursor: string, acknowledged: number }} Envelope of a request of mutations */
/** @typedef {components['schemas']['MutationResults']} Answer */

/**
 * Sends mutations in one request.
 * @param {Exchange} exchange
 * @param {Envelope} envelope
 * @param {Edit[]} edits with their mutations
 * @returns {Promise<{ data: Answer, error?: undefined } | { data?: undefined, error: unknown }>}
 */
export async function sendMutations ({ client, request }, envelope, edits) {
  const mutations = edits.map(({ mutation }) => /** @type {Mutation} */ (mutation))
  const isRight = (/** @type {Answer} */ { results }) => Array.isArray(results) && results.length === edits.length &&
    results.every((result, index) => result?.id === mutations[index]?.id && Number.isInteger(result.status))
  try {
    return { data: await unwrapChecked(client.POST('/api/v1/mutations/', { body: { ...envelope, mutations }, ...request() }), isRight) }
  } catch (error) {
    return { error }
  }
}

/**
 * Whether the server answers a request without edits. Then the content of another request is the reason of its fault.
 * @param {Exchange} exchange
 * @param {Envelope} envelope
 */
export async function reachesServer (exchange, envelope) {
  const { data, error } = await sendMutations(exchange, envelope, [])
  return data !== undefined || !isFault(error)
}

/** Whether a request did not reach the server, or its answer was lost or replaced. @param {unknown} error */
export function isFault (error) {
  return isOfProxy(error) || error instanceof ConnectionError || isSlow(error)
}

/** Whether the connection is too slow for a request. @param {unknown} error */
export function isSlow (error) {
  return Object(error).name === 'TimeoutError'
}
