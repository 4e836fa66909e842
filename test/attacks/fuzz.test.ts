import t from 'tap'
import { build } from '../helper.ts'
import { fuzz } from './fuzz.ts'

t.test('requests by chance are answered as the document has it, whatever is in them', async (t) => {
  const { statuses, found } = await fuzz(await build(t, { RATE_LIMIT: 'off' }), 200, 6)
  t.strictSame(found, [])
  for (const status of [200, 201, 400, 404]) t.ok((statuses.get(status) ?? 0) > 2, `${status}: ${JSON.stringify([...statuses])}`)
  t.ok((statuses.get(401) ?? 0) < 30, 'most come past the door')
})

t.test('what is found is sent again, and told with the smallest request that has the same outcome', async (t) => {
  const server = await build(t, { RATE_LIMIT: 'off' })
  const inject = server.app.inject.bind(server.app) as (request: object) => Promise<unknown>
  let first = true
  server.app.inject = (async (request: { method: string, url: string }) => {
    const { method, url } = request
    const once = url.startsWith('/api/v1/contrapartes/') && first
    if (once) first = false
    return once || (method === 'GET' && url.startsWith('/api/v1/contracts/')) ? { statusCode: 500, body: 'broken', headers: {} } : await inject(request)
  }) as typeof server.app.inject
  const { found } = await fuzz(server, 30, 6)
  t.match(found.find(one => one.includes('/contrapartes/')), /^seed 6, number \d+: 500 broken: .*; by itself it is answered well: it takes what was sent before it$/s)
  t.match(found.find(one => one.includes(': GET /api/v1/contracts/')), /^seed 6, number \d+: 500 broken: GET .*; the smallest: 500 broken: GET \/api\/v1\/contracts\/\S{0,20} \{\} undefined$/s)
})
