import type { Client } from '../../support/helper.ts'
import { largeBodies, largeBulks, routes } from '../../support/large-inputs.ts'

type Method = 'POST' | 'PATCH' | 'PUT'

/**
 * Compares how long expensive bodies and a quarter of each keep the event loop busy. Four times the bytes cost 4 times as much if the work is
 * linear, and 16 times as much if it is quadratic.
 * @returns how many were compared, and a line for each that grows faster than its length
 */
export async function compareGrowth (client: Client): Promise<{ compared: number, found: string[] }> {
  const item = { folio: 'a', monto: '1', descripcion: 'x', estado: 'vigente' }
  const bodies = routes.map(([method, url, limit, field]) => [method, url, largeBodies(limit / 4, field), largeBodies(limit, field)] as const)
  const found: string[] = []
  let compared = 0
  for (const [method, url, quarters, wholes] of [...bodies, ['POST', 'contracts/bulk/', largeBulks(item, 'descripcion', 1 / 8), largeBulks(item, 'descripcion', 1 / 2)] as const]) {
    for (const [what, whole] of Object.entries(wholes)) {
      compared++
      const growth = await growthOf(client, method, url, quarters[what], whole)
      if (growth !== undefined) found.push(`${method} ${url}: ${what}: ${growth}`)
    }
  }
  return { compared, found }
}

async function growthOf (client: Client, method: Method, url: string, quarter: string, whole: string): Promise<string | undefined> {
  let [least, most] = [Infinity, Infinity]
  // The minimum leaves out garbage collection, compilation and other processes.
  for (let attempt = 1; attempt <= 20; attempt++) {
    least = Math.min(least, await busyTime(client, method, url, quarter))
    most = Math.min(most, await busyTime(client, method, url, whole))
    if (attempt >= 2 && most < 8 * least) return undefined
  }
  return `${least} ms for ${quarter.length} bytes, ${most} ms for ${whole.length} bytes`
}

/** How long a request keeps the event loop busy, in ms. Waits for the database do not count. */
async function busyTime (client: Client, method: Method, url: string, body: string): Promise<number> {
  const before = performance.eventLoopUtilization()
  await client.send(method, url, body, { 'content-type': 'application/json' })
  return performance.eventLoopUtilization(before).active
}
