import { unwrapChecked } from './errors.js'

/**
 * Iterates over all records of a list and loads each page when it is needed.
 * @param {any} client an openapi-fetch client
 * @param {string} path
 * @param {{ query?: any, signal?: AbortSignal }} [options]
 */
export async function * everyRecord (client, path, { query = {}, ...options } = {}) {
  for (let parameters = query; parameters !== undefined;) {
    const page = client.GET(path, { ...options, params: { query: parameters } })
    const { results, next } = await unwrapChecked(page, isPage)
    yield * results
    // Uses only the parameters of `next`, not its host: tokens are sent only to `baseUrl`.
    parameters = next === null ? undefined : Object.fromEntries(new URL(next).searchParams)
  }
}

/** Whether an answer is the service's. @param {{ results?: unknown, next?: unknown }} page */
function isPage ({ results, next }) {
  return Array.isArray(results) && (next === null || typeof next === 'string')
}
