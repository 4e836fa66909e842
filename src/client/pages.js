import { unwrap } from './errors.js'

/**
 * Iterates over all records of a list and loads each page when it is needed.
 * @param {any} client an openapi-fetch client
 * @param {string} path
 * @param {{ query?: any, signal?: AbortSignal }} [options]
 */
export async function * everyRecord (client, path, { query = {}, ...options } = {}) {
  for (let parameters = query; parameters !== undefined;) {
    const { results, next } = await unwrap(client.GET(path, { ...options, params: { query: parameters } }))
    yield * results
    // Uses only the parameters of `next`, not its host: tokens are sent only to `baseUrl`.
    parameters = next === null ? undefined : Object.fromEntries(new URL(next).searchParams)
  }
}
