import { unwrapChecked } from '../errors.ts'
import { companyKey } from './scope.ts'
import type { ObraClient } from '../types.ts'
import type { Storage } from './types.ts'

const mePath = '/api/v1/me/'

/** The user's active company as of the last answer that showed it. Null without one, undefined if this device does not know. */
export async function knownCompany (storage: Storage, user: number): Promise<number | null | undefined> {
  const [company] = await storage.transaction('read', async transaction => await transaction.read([companyKey(user)]))
  if (typeof company === 'number') return company
  return company === null ? null : undefined
}

/** Asks the server for the user and the active company. */
export async function askForCompany (client: ObraClient, options: { signal: AbortSignal, fetch?: ReturnType<ObraClient['fetchAs']> }) {
  const { id: user, company } = await unwrapChecked(client.GET(mePath, options), user => isUser(user))
  return { user, company }
}

/** Whether an answer is the service's. */
function isUser (user: unknown): user is { id: number, company: number | null } {
  const { id, company }: { id?: unknown, company?: unknown } = Object(user)
  return Number.isInteger(id) && (company === null || Number.isInteger(company))
}

/**
 * Keeps the active company of each answer that shows it, to the store or to the app.
 * @param onError gets errors of the storage: the app's request must not fail for them
 * @returns stops it
 */
export function followCompany (client: ObraClient, storage: Storage, onError: (error: unknown) => void): () => void {
  /** Requests that changed the user, sent and answered, when a request was sent. */
  const changesBefore = new WeakMap<Request, number>()
  let changes = 0
  const middleware = {
    onRequest: ({ schemaPath, request }: { schemaPath: string, request: Request }) => {
      if (schemaPath !== mePath) return
      if (request.method !== 'GET') changes += 1
      changesBefore.set(request, changes)
    },
    onResponse: async ({ schemaPath, request, response }: { schemaPath: string, request: Request, response: Response }) => {
      if (schemaPath !== mePath || response.status !== 200) return
      // A read can show the company before a change that was answered first.
      if (request.method !== 'GET') changes += 1
      else if (changesBefore.get(request) !== changes) return
      const user: unknown = await response.clone().json().catch(() => undefined)
      if (isUser(user)) await keepCompany(storage, user.id, user.company).catch(onError)
    }
  }
  client.use(middleware)
  return () => client.eject(middleware)
}

async function keepCompany (storage: Storage, user: number, company: number | null) {
  await storage.transaction('write', async (transaction) => {
    const [known] = await transaction.read([companyKey(user)])
    if (known !== company) await transaction.write([[companyKey(user), company]])
  })
}
