import createClient from 'openapi-fetch'
import { checkedBaseUrl } from './base-url.ts'
import { checkGlobals } from './globals.ts'
import { everyRecord } from './pages.ts'
import { randomUuid } from './random.ts'
import { refusingRedirects } from './redirects.ts'
import { retrying } from './retries.ts'
import { Session } from './session.ts'
import { withSignals } from './signals.ts'
import type { ObraClient, ObraClientOptions } from './types.ts'

/**
 * Creates a client of an Obra service. Without `tokens`, it logs in before the first request. It renews an expired access token with one
 * refresh for all waiting requests. It repeats requests that were refused temporarily or lost.
 * @throws {TypeError} if `baseUrl` is no URL of HTTP, or is missing or relative where there is no page; if the JavaScript engine lacks
 *   a global that requests need, such as `crypto.getRandomValues` in React Native
 */
export function createObraClient ({
  baseUrl = '',
  language,
  fetch = (request, init) => globalThis.fetch(request, init),
  retries = 3,
  longestWait = 60,
  maxWaitSeconds = longestWait,
  idempotencyKeys = true,
  ...account
}: ObraClientOptions): ObraClient {
  checkGlobals()
  const send = refusingRedirects(retrying(fetch, { retries, maxWaitSeconds }))
  const settings = { baseUrl: checkedBaseUrl(baseUrl), headers: language === undefined ? {} : { 'accept-language': language } }
  const plain = withSignals(createClient(settings), send)
  const session = new Session(plain, send, account)
  // `fields=id,folio`, `ordering=-monto,folio`
  const core = createClient({ ...settings, querySerializer: { array: { style: 'form', explode: false } } })
  if (idempotencyKeys) core.use({ onRequest: withKey })
  const client = withSignals(core, async (request, init) => await session.send(request, init))
  return {
    ...client,
    // An answer to a HEAD has headers only.
    HEAD: client.HEAD as typeof client.HEAD & ObraClient['HEAD'], // its type has no data
    language,
    get user () { return session.user },
    watchUser: watcher => session.watchUser(watcher),
    fetchAs: user => async (request, init) => await session.send(request, init, user),
    all: (path, options) => everyRecord(client, path, options),
    logIn: async credentials => await session.begin(credentials),
    logOut: async () => await session.end()
  } as ObraClient // the core's types are wider
}

/**
 * Adds a key to a POST that creates records, so that the service runs a repeated request once. POSTs of tokens and passwords take no key.
 */
function withKey ({ request, schemaPath }: { request: Request, schemaPath: string }) {
  if (request.method === 'POST' && !/\/api-token-|\/password\//.test(schemaPath) && !request.headers.has('idempotency-key')) {
    request.headers.set('idempotency-key', randomUuid())
  }
}
