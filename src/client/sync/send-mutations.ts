import { ConnectionError, isOfProxy, unwrapChecked } from '../errors.ts'
import type { components } from '../api.d.ts'
import type { Edit } from './edit.ts'
import type { Exchange } from './exchange.ts'

/** What a request of mutations has beside them. */
interface Envelope {
  device: string
  cursor: string
  acknowledged: number
}

type Answer = components['schemas']['MutationResults']

/**
 * Sends mutations in one request.
 * @param edits with their mutations
 */
export async function sendMutations (
  { client, request }: Exchange, envelope: Envelope, edits: Edit[]
): Promise<{ data: Answer, error?: undefined } | { data?: undefined, error: unknown }> {
  const mutations = edits.flatMap(({ mutation }) => mutation ?? [])
  const isRight = ({ results }: Answer) => Array.isArray(results) && results.length === edits.length &&
    results.every((result, index) => result?.id === mutations[index]?.id && Number.isInteger(result.status))
  try {
    return { data: await unwrapChecked(client.POST('/api/v1/mutations/', { body: { ...envelope, mutations }, ...request() }), isRight) }
  } catch (error) {
    return { error }
  }
}

/** Whether the server answers a request without edits. Then the content of another request is the reason of its fault. */
export async function reachesServer (exchange: Exchange, envelope: Envelope) {
  const { data, error } = await sendMutations(exchange, envelope, [])
  return data !== undefined || !isFault(error)
}

/** Whether a request did not reach the server, or its answer was lost or replaced. */
export function isFault (error: unknown) {
  return isOfProxy(error) || error instanceof ConnectionError || isSlow(error)
}

/** Whether the connection is too slow for a request. */
export function isSlow (error: unknown) {
  return Object(error).name === 'TimeoutError'
}
