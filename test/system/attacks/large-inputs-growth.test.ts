import t from 'tap'
import { build } from '../../support/helper.ts'
import { largeBodies, largeBulks, routes } from '../../support/large-inputs.ts'

const { as } = await build(t, { RATE_LIMIT: 'off' })
const director = await as('director@demo.example')

/** How long a request keeps the event loop busy, in ms. Waits for the database do not count. */
async function busyTime (method: 'POST' | 'PATCH' | 'PUT', url: string, body: string): Promise<number> {
  const before = performance.eventLoopUtilization()
  await director.send(method, url, body, { 'content-type': 'application/json' })
  return performance.eventLoopUtilization(before).active
}

/** Four times the bytes cost 4 times as much if the work is linear, and 16 times as much if it is quadratic. */
async function growsLinearly (method: 'POST' | 'PATCH' | 'PUT', url: string, quarter: string, whole: string): Promise<string | undefined> {
  let [least, most] = [Infinity, Infinity]
  // The minimum leaves out garbage collection, compilation and other processes.
  for (let attempt = 1; attempt <= 20; attempt++) {
    least = Math.min(least, await busyTime(method, url, quarter))
    most = Math.min(most, await busyTime(method, url, whole))
    if (attempt >= 2 && most < 8 * least) return undefined
  }
  return `${least} ms for ${quarter.length} bytes, ${most} ms for ${whole.length} bytes`
}

t.test('the event loop is busy in proportion to a body, however expensive the body is', async (t) => {
  for (const [method, url, limit, field] of routes) {
    const quarters = largeBodies(limit / 4, field)
    for (const [what, whole] of Object.entries(largeBodies(limit, field))) {
      t.equal(await growsLinearly(method, url, quarters[what] as string, whole), undefined, `${method} ${url}: ${what}`)
    }
  }
})

t.test('bulk bodies', async (t) => {
  const item = { folio: 'a', monto: '1', descripcion: 'x', estado: 'vigente' }
  const quarters = largeBulks(item, 'descripcion', 1 / 8)
  for (const [what, whole] of Object.entries(largeBulks(item, 'descripcion', 1 / 2))) {
    t.equal(await growsLinearly('POST', 'contracts/bulk/', quarters[what] as string, whole), undefined, what)
  }
})
