import t from 'tap'
import { build, type TestServer } from '../../support/helper.ts'
import { fuzz } from './fuzz.ts'

t.test('random requests get an answer that the document declares', async (t) => {
  const { statuses, found } = await fuzz(await build(t, { RATE_LIMIT: 'off' }), 200, 6)
  t.strictSame(found, [])
  for (const status of [200, 201, 400, 404]) t.ok((statuses.get(status) ?? 0) > 2, `${status}: ${JSON.stringify([...statuses])}`)
  t.ok((statuses.get(401) ?? 0) < 30, 'most requests pass authentication')
})

t.test('a failing request is sent again and reported with the smallest request that fails the same way', async (t) => {
  let first = true
  const server = {
    as: async () => ({ access: 'x' }),
    psql: async () => ['Obra Norte', 'Obra Sur', 'Constructora Demo'].map(name => ({ id: 1, name })),
    app: {
      async inject ({ method, url }: { method: string, url: string }) {
        const once = url.startsWith('/api/v1/contrapartes/') && first
        if (once) first = false
        const broken = once || (method === 'GET' && url.startsWith('/api/v1/contracts/'))
        return { statusCode: broken ? 500 : 204, body: '', headers: { 'x-content-type-options': 'nosniff' } }
      }
    }
  }
  const { found } = await fuzz(server as unknown as TestServer, 90, 8)
  t.match(found.find(one => one.includes('/contrapartes/')), /^seed 8, number \d+: 500 : .*; sent separately it is answered correctly: it fails only after earlier requests$/s)
  t.match(found.find(one => one.includes(': GET /api/v1/contracts/')), /^seed 8, number \d+: 500 : GET .*; the smallest: 500 : GET \/api\/v1\/contracts\/\S{0,20} \{\} undefined$/s)
})
