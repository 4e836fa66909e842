import createClient from 'openapi-fetch'
import { checkedBaseUrl } from './base-url.js'
import { checkGlobals } from './globals.js'
import { everyRecord } from './pages.js'
import { randomUuid } from './random.js'
import { refusingRedirects } from './redirects.js'
import { retrying } from './retries.js'
import { Session } from './session.js'
import { withSignals } from './signals.js'

/** @import { ObraClient, ObraClientOptions } from './index.d.ts' */

/**
 * @param {ObraClientOptions} options
 * @returns {ObraClient}
 * @throws {TypeError} for a `baseUrl` to which no request can be sent, or if the JavaScript engine lacks a global that requests need
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
}) {
  checkGlobals()
  const send = refusingRedirects(retrying(fetch, { retries, maxWaitSeconds }))
  const settings = { baseUrl: checkedBaseUrl(baseUrl), headers: language === undefined ? {} : { 'accept-language': language } }
  const plain = withSignals(createClient(settings), send)
  const session = new Session(plain, send, account)
  // `fields=id,folio`, `ordering=-monto,folio`
  const core = createClient({ ...settings, querySerializer: { array: { style: 'form', explode: false } } })
  if (idempotencyKeys) core.use({ onRequest: withKey })
  const client = withSignals(core, async (request, init) => await session.send(request, init))
  return /** @type {ObraClient} */ ({
    ...client,
    language,
    get user () { return session.user },
    watchUser: watcher => session.watchUser(watcher),
    fetchAs: user => async (request, init) => await session.send(request, init, user),
    all: (path, options) => everyRecord(client, path, options),
    logIn: async credentials => await session.begin(credentials),
    logOut: async () => await session.end()
  })
}

/**
 * Adds a key to a POST that creates records, so that the service runs a repeated request once. POSTs of tokens and passwords take no key.
 * @param {{ request: Request, schemaPath: string }} options
 */
function withKey ({ request, schemaPath }) {
  if (request.method === 'POST' && !/\/api-token-|\/password\//.test(schemaPath) && !request.headers.has('idempotency-key')) {
    request.headers.set('idempotency-key', randomUuid())
  }
}
