import { createRequire } from 'node:module'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withDemoServer, type Session } from './demo-server.ts'
import type { Place } from './tools.ts'

const require = createRequire(import.meta.url)

/** A request of a collection, or a folder with others. */
interface Item { name: string, item?: Item[], request: { method: string, url: { path: string[] } } }

/** An answer that newman received. */
interface Execution { item: Item, response?: { code: number, text: () => string } }

/** Codes of a 400 about the data: an example of a PUT has the values of another record, such as its `external_id`. */
const ofData = new Set(['unique', 'immutable', 'period_overlaps', 'wrong_size'])

/** Whether the server rejects the request itself. A 409 only says that the example needs other data. */
function isRejected ({ response }: Execution): boolean {
  if (response === undefined || response.code >= 500) return true
  if (response.code !== 400) return [401, 403, 404, 405, 406, 412, 413, 415, 422].includes(response.code)
  const { codes } = JSON.parse(response.text()) as { codes: Record<string, string[]> }
  return !Object.values(codes).flat().every(code => ofData.has(code))
}

/** Requests whose examples cannot succeed: a secret of the caller that the document does not know, and a stream that does not end. */
const skipped: Record<string, string> = {
  'POST api/v1/me/password': 'the present password',
  'POST api/v1/api-token-refresh': 'a refresh token',
  'POST api/v1/api-token-revoke': 'a refresh token',
  'POST api/v1/api-token-verify': 'a token',
  'GET api/v1/changes/events': 'a stream'
}

const nameOf = ({ request: { method, url } }: Item) => `${method} ${url.path.filter(part => part !== '').join('/')}`
const requestsOf = (items: Item[]): Item[] => items.flatMap(item => item.item === undefined ? [item] : requestsOf(item.item))

/** Imports the document into Postman's format, and sends each request with newman to a server with new demo data. */
export async function postman ({ document, folder }: Place): Promise<string> {
  const collection = await collectionOf(document)
  await writeFile(join(folder, 'postman.json'), JSON.stringify(collection))
  const requests = requestsOf(collection.item).filter(item => skipped[nameOf(item)] === undefined)
  // Deletions come last, because other requests need the records, and children before parents.
  const deletions = requests.filter(({ request }) => request.method === 'DELETE').reverse()
  const inOrder = [...requests.filter(({ request }) => request.method !== 'DELETE'), ...deletions]
  const isAccounts = (item: Item) => /api\/v1\/(customers|companies|users|memberships)\b/.test(nameOf(item))
  const executions = await withDemoServer(async session => [
    ...await send(collection, inOrder.filter(item => !isAccounts(item)), await session('director@demo.example')),
    ...await send(collection, inOrder.filter(isAccounts), await session('superusuario@demo.example'))
  ])
  const rejected = executions.filter(isRejected)
  const messages = rejected.map(({ item, response }) => `${nameOf(item)}: ${response?.code} ${response?.text().slice(0, 300)}`)
  if (rejected.length > 0) throw new Error(messages.join('\n'))
  const successes = executions.filter(({ response }) => (response?.code ?? 500) < 400)
  return `${executions.length} requests: ${successes.length} succeed, ${executions.length - successes.length} need other data, none is rejected`
}

async function collectionOf (document: object): Promise<{ item: Item[] }> {
  const converter = require('openapi-to-postmanv2')
  const options = { folderStrategy: 'Tags', requestParametersResolution: 'Example', parametersResolution: 'Example', enableOptionalParameters: false }
  return await new Promise((resolve, reject) => {
    converter.convertV2({ type: 'string', data: JSON.stringify(document) }, options, (error: Error | null, { result, reason, output }: any) => {
      if (error !== null || result !== true) reject(error ?? new Error(reason))
      else resolve(output[0].data)
    })
  })
}

async function send (collection: object, item: Item[], { url, access }: Session): Promise<Execution[]> {
  const newman = require('newman')
  const auth = { type: 'bearer', bearer: [{ key: 'token', value: access }] }
  const requests = item.map(one => ({ ...one, request: { ...one.request, auth } }))
  return await new Promise((resolve, reject) => {
    newman.run({ collection: { ...collection, item: requests }, envVar: [{ key: 'baseUrl', value: url }], timeoutRequest: 20_000 }, (error: Error | null, summary: any) => {
      if (error !== null) reject(error)
      else resolve(summary.run.executions)
    })
  })
}
