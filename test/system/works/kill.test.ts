import t from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { demoPlace, startServer, type Place } from '../../support/process.ts'

/** Starts a server. @returns it, and requests of a Director, which are undefined if the server ended */
async function serving (place: Place) {
  const server = await startServer(t, place)
  const request = async (method: string, path: string, body?: unknown, token?: string): Promise<any> => {
    const headers = { 'content-type': 'application/json', ...token === undefined ? {} : { authorization: `Bearer ${token}` } }
    const sent = { method, headers, ...body === undefined ? {} : { body: JSON.stringify(body) } }
    try {
      return await (await fetch(`${server.origin}/api/v1/${path}`, sent)).json()
    } catch {
      return undefined
    }
  }
  const { access } = await request('POST', 'api-token-auth/', { email: 'director@demo.example', password: demoPassword })
  return { ...server, call: async (method: string, path: string, body?: unknown) => await request(method, path, body, access) }
}

/** When the server is killed, as parts of the time of a bulk that is not killed. The last one is after its commit, as a rule. */
const kills = [0.5, 0.8, 0.95, 1.5]
const lines = 20
const perBulk = 1000

t.test('kill -9 in a bulk of measurements: all of them or none, and the amount is that of the stored ones', async (t) => {
  const place = await demoPlace(t)
  let server = await serving(place)
  const { id: contract } = await server.call('POST', 'contracts/', { folio: 'KILL-1' })
  const rows = Array.from({ length: lines }, (_, n) => ({ contract, clave: `K-${n}`, unidad: 'm3', cantidad: '100000', precio_unitario: `0.${n}35` }))
  const { results: concepts } = await server.call('POST', 'conceptos/bulk/', { items: rows })
  const { id: estimate } = await server.call('POST', 'estimates/', { contract })
  const items = Array.from({ length: perBulk }, (_, n) => ({ estimate, concepto: concepts[n % lines].id, piezas: '3', largo: '0.5' }))
  const began = performance.now()
  await server.call('POST', 'generadores/bulk/', { items })
  const time = performance.now() - began
  let stored = perBulk

  for (const part of kills) {
    const sending = server.call('POST', 'generadores/bulk/', { items })
    await new Promise(resolve => setTimeout(resolve, time * part))
    server.signal('SIGKILL')
    await server.ended
    const answer = await sending
    server = await serving(place)
    const { count } = await server.call('GET', `generadores/?estimate=${estimate}&page_size=1`)
    t.ok(count === stored + perBulk || (count === stored && answer === undefined), `${count} after ${stored}`)
    stored = count
    const each = BigInt(stored / lines) * 15_000n
    const cents = rows.map(({ precio_unitario: price }) => (each * BigInt(price.slice(2).padEnd(6, '0')) + 50_000_000n) / 100_000_000n)
    const expected = String(cents.reduce((sum, amount) => sum + amount, 0n)).padStart(3, '0')
    t.match(await server.call('GET', `estimates/${estimate}/`), { monto: `${expected.slice(0, -2)}.${expected.slice(-2)}`, lineas: lines })
  }
  t.ok(stored > perBulk, 'the last bulk was stored')
  await server.end()
})
