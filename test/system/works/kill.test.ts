import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { decimal, rounded, sum } from '../../support/exact.ts'
import { demoPlace } from '../../support/process.ts'
import { server as postgres } from '../../support/template.ts'
import { serving } from './serving.ts'

/** When the server is killed, as parts of the time of a bulk that is not killed. The last one waits for the answer. */
const kills = [0.5, 0.8, 0.95, Infinity]
const lines = 20
const perBulk = 1000

const skip = postgres === undefined && 'test/system/torture kills a server on the embedded database, which takes a minute for these bulks'

t.test('kill -9 in a bulk of measurements: all of them or none, and the amount is that of the stored ones', { skip }, async (t) => {
  const place = await demoPlace(t)
  let server = await serving(t, place)
  const { id: contract } = await server.json('POST', 'contracts/', { folio: 'KILL-1' })
  const rows = Array.from({ length: lines }, (_, n) => ({ contract, clave: `K-${n}`, unidad: 'm3', cantidad: '100000', precio_unitario: `0.${n}35` }))
  const { results: concepts } = await server.json('POST', 'conceptos/bulk/', { items: rows })
  const { id: estimate } = await server.json('POST', 'estimates/', { contract })
  const items = Array.from({ length: perBulk }, (_, n) => ({ estimate, concepto: concepts[n % lines].id, piezas: '3', largo: '0.5' }))
  const began = performance.now()
  await server.json('POST', 'generadores/bulk/', { items })
  const time = performance.now() - began
  let stored = perBulk

  for (const part of kills) {
    const sending = server.json('POST', 'generadores/bulk/', { items })
    await (part === Infinity ? sending : sleep(time * part))
    server.signal('SIGKILL')
    await server.ended
    const answer = await sending
    server = await serving(t, place)
    const { count } = await server.json('GET', `generadores/?estimate=${estimate}&page_size=1`)
    t.ok(count === stored + perBulk || (count === stored && answer === undefined), `${count} after ${stored}`)
    stored = count
    const each = BigInt(stored / lines) * 15_000n
    const cents = rows.map(({ precio_unitario: price }) => rounded(each * BigInt(price.slice(2).padEnd(6, '0')), 100_000_000n))
    t.match(await server.json('GET', `estimates/${estimate}/`), { monto: decimal(sum(cents)), lineas: lines })
  }
  t.ok(stored > perBulk, 'the last bulk was stored')
  await server.end()
})
