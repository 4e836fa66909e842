import { unwrap } from './errors.js'

/**
 * Every record of a list, page after page as they are asked for.
 * @param {any} client one of openapi-fetch
 * @param {string} path
 * @param {{ query?: any, signal?: AbortSignal }} [options]
 */
export async function * everyRecord (client, path, { query = {}, ...options } = {}) {
  for (let parameters = query; parameters !== undefined;) {
    const { results, next } = await unwrap(client.GET(path, { ...options, params: { query: parameters } }))
    yield * results
    // Only what `next` asks for is taken from it, not where: tokens go to no other host than `baseUrl`.
    parameters = next === null ? undefined : Object.fromEntries(new URL(next).searchParams)
  }
}
