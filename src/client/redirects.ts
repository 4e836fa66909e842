import { clientError } from './errors.ts'
import type { Fetch } from './signals.ts'

const redirects = new Set([301, 302, 303, 307, 308])

/** Downloads of files, which can be in another service. Their requests have no body, and `fetch` sends the token to no other origin. */
const download = /\/adjuntos\/\d+\/contenido\/?$/

/**
 * A `fetch` that follows only redirects of downloads, because 307 and 308 send the password or token in the body to any origin. With
 * `redirect: 'manual'` a redirect differs from a lost connection. With `'error'` it would look like a network failure and be repeated.
 */
export function refusingRedirects (fetch: Fetch): Fetch {
  return async (request, init) => {
    if (request.method === 'GET' && download.test(new URL(request.url).pathname)) return await fetch(request, init)
    const response = await fetch(new Request(request, { redirect: 'manual' }), init)
    // React Native's `fetch` ignores the option and sets `redirected`.
    if (response.type !== 'opaqueredirect' && !response.redirected && !redirects.has(response.status)) return response
    await response.body?.cancel()
    const detail = 'The service answered with a redirect, which is not followed: set baseUrl to its final address.'
    throw clientError(response.status, 'redirected', detail, response)
  }
}
