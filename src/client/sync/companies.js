import { unwrap } from '../errors.js'
import { companyKey } from './scope.js'

/** @import { ObraClient } from '../index.d.ts' */
/** @import { Storage } from './index.d.ts' */

/**
 * The user's active company when this device last heard of it. Null without one, undefined if this device does not know.
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
 * @param {Storage} storage keeps the answer
 * @param {{ signal: AbortSignal, fetch?: (request: Request) => Promise<Response> }} options
 */
export async function askForCompany (client, storage, options) {
  const { id: user, company } = await unwrap(client.GET('/api/v1/me/', options))
  await keepCompany(storage, user, company)
  return { user, company }
}

/**
 * Notices when the app changes the active company.
 * @param {ObraClient} client
 * @param {Storage} storage
 * @param {(error: unknown) => void} onError gets errors of the storage: the app's request must not fail for them
 * @returns {() => void} stops it
 */
export function followCompany (client, storage, onError) {
  const middleware = {
    onResponse: async (/** @type {{ schemaPath: string, response: Response }} */ { schemaPath, response }) => {
      if (schemaPath !== '/api/v1/me/' || response.status !== 200) return
      const { id, company } = /** @type {{ id: number, company: number | null }} */ (await response.clone().json())
      await keepCompany(storage, id, company).catch(onError)
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
