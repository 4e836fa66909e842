import { unwrapChecked } from '../errors.js'
import { companyKey } from './scope.js'

/** @import { ObraClient } from '../index.d.ts' */
/** @import { Storage } from './index.d.ts' */

const mePath = '/api/v1/me/'

/**
 * The user's active company as of the last answer that showed it. Null without one, undefined if this device does not know.
 * @param {Storage} storage
 * @param {number} user
 */
export async function knownCompany (storage, user) {
  const [company] = await storage.transaction('read', async transaction => await transaction.read([companyKey(user)]))
  return /** @type {number | null | undefined} */ (company)
}

/**
 * Asks the server for the user and the active company.
 * @param {ObraClient} client
 * @param {{ signal: AbortSignal, fetch?: (request: Request, init?: { signal?: AbortSignal }) => Promise<Response> }} options
 */
export async function askForCompany (client, options) {
  const { id: user, company } = await unwrapChecked(client.GET(mePath, options), isUser)
  return { user, company }
}

/** Whether an answer is the service's. @param {any} user @returns {user is { id: number, company: number | null }} */
function isUser (user) {
  return Number.isInteger(user?.id) && (user.company === null || Number.isInteger(user.company))
}

/**
 * Keeps the active company of each answer that shows it, to the store or to the app.
 * @param {ObraClient} client
 * @param {Storage} storage
 * @param {(error: unknown) => void} onError gets errors of the storage: the app's request must not fail for them
 * @returns {() => void} stops it
 */
export function followCompany (client, storage, onError) {
  /** Requests that changed the user, sent and answered, when a request was sent. @type {WeakMap<Request, number>} */
  const changesBefore = new WeakMap()
  let changes = 0
  const middleware = {
    onRequest: (/** @type {{ schemaPath: string, request: Request }} */ { schemaPath, request }) => {
      if (schemaPath !== mePath) return
      if (request.method !== 'GET') changes += 1
      changesBefore.set(request, changes)
    },
    onResponse: async (/** @type {{ schemaPath: string, request: Request, response: Response }} */ { schemaPath, request, response }) => {
      if (schemaPath !== mePath || response.status !== 200) return
      // A read can show the company before a change that was answered first.
      if (request.method !== 'GET') changes += 1
      else if (changesBefore.get(request) !== changes) return
      /** @type {unknown} */
      const user = await response.clone().json().catch(() => undefined)
      if (isUser(user)) await keepCompany(storage, user.id, user.company).catch(onError)
    }
  }
  client.use(middleware)
  return () => client.eject(middleware)
}

/** @param {Storage} storage @param {number} user @param {number | null} company */
async function keepCompany (storage, user, company) {
  await storage.transaction('write', async (transaction) => {
    const [known] = await transaction.read([companyKey(user)])
    if (known !== company) await transaction.write([[companyKey(user), company]])
  })
}
