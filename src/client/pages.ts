import { unwrapChecked } from './errors.ts'

interface Page {
  results: unknown[]
  next: string | null
}

/**
 * Iterates over all records of a list and loads each page when it is needed.
 * @param client an openapi-fetch client
 */
export async function * everyRecord (client: any, path: string, { query = {}, ...options }: { query?: any, signal?: AbortSignal } = {}) {
  for (let parameters = query; parameters !== undefined;) {
    const page: Promise<{ data?: Page, response: Response }> = client.GET(path, { ...options, params: { query: parameters } })
    const { results, next } = await unwrapChecked(page, isPage)
    yield * results
    // Uses only the parameters of `next`, not its host: tokens are sent only to `baseUrl`.
    parameters = next === null ? undefined : Object.fromEntries(new URL(next).searchParams)
  }
}

/** Whether an answer is the service's. */
function isPage ({ results, next }: Page) {
  return Array.isArray(results) && (next === null || typeof next === 'string')
}
