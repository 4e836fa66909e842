import createClient from 'openapi-fetch'
import { everyRecord } from './pages.js'
import { refusingRedirects } from './redirects.js'
import { retrying } from './retries.js'
import { Session } from './session.js'

/** @import { Client } from 'openapi-fetch' */
/** @import { ObraClient, ObraClientOptions, paths } from './index.d.ts' */

/**
 * @param {ObraClientOptions} options
 * @returns {ObraClient}
 */
export function createObraClient ({ baseUrl = '', language, fetch = request => globalThis.fetch(request), retries = 3, longestWait = 30, idempotencyKeys = true, ...account }) {
  const send = refusingRedirects(retrying(fetch, { retries, longestWait }))
  const settings = { baseUrl, headers: language === undefined ? {} : { 'accept-language': language } }
  /** @type {Client<paths, 'application/json'>} */
  const plain = createClient({ ...settings, fetch: send })
  const session = new Session(plain, send, account)
  /** @type {Client<paths, 'application/json'>} */
  const client = createClient({
    ...settings,
    fetch: request => session.send(request),
    // `fields=id,folio`, `ordering=-monto,folio`
    querySerializer: { array: { style: 'form', explode: false } }
  })
  if (idempotencyKeys) client.use({ onRequest: withKey })
  return /** @type {ObraClient} */ ({
    ...client,
    all: (path, options) => everyRecord(client, path, options),
    logIn: async credentials => await session.begin(credentials),
    logOut: async () => await session.end()
  })
}

/**
 * A POST that makes records has a key, so that the service does once what it is asked twice. Those about tokens and passwords take none.
 * @param {{ request: Request, schemaPath: string }} asked
 */
function withKey ({ request, schemaPath }) {
  if (request.method === 'POST' && !/\/api-token-|\/password\//.test(schemaPath) && !request.headers.has('idempotency-key')) {
    request.headers.set('idempotency-key', randomKey())
  }
}

/** `crypto.randomUUID` is not there on pages that did not come by HTTPS. */
function randomKey () {
  return Array.from(globalThis.crypto.getRandomValues(new Uint32Array(4)), part => part.toString(16).padStart(8, '0')).join('')
}
