import type { Test } from 'tap'
import { checkSync } from 'recheck'
import { describeService } from '../../../../src/server/openapi/service.ts'
import { fuzzFraming } from '../../attacks/framing.ts'
import { fuzz } from '../../attacks/fuzz.ts'
import { gather } from '../../attacks/loot.ts'
import { patterns } from '../../attacks/patterns.ts'
import { attacksOf } from '../../attacks/tenants.ts'
import { compareTimes } from '../../attacks/timing.ts'
import { breach, trace, walls } from '../../attacks/walls.ts'
import { build, type TestServer } from '../../../support/helper.ts'
import { plantVictim } from '../../walls/victim.ts'
import { count, type Row, type Tell } from './table.ts'

/** How often each attack is made. */
export interface Amounts {
  /** Requests by chance. */
  shots: number
  /** Requests over sockets whose framing is spoilt by chance. */
  framings: number
  /** What chance begins with. */
  seed: number
  /** Requests of each kind that times are compared by. */
  rounds: number
}

/** Makes the attacks one after the other, each on a server and a database of its own. */
export async function attackAll ({ shots, framings, seed, rounds }: Amounts, tell: Tell): Promise<void> {
  for (const name of Object.keys(walls)) await onServer(async server => tell(await tenants(server, name)))
  await onServer(async server => await times(server, rounds, tell))
  await onServer(async (server) => {
    const { statuses, found } = await fuzz(server, shots, seed)
    tell({ what: 'requests by chance', times: shots, came: `seed ${seed}: ${byStatus(statuses)}`, bad: found })
  })
  await onServer(async ({ app }) => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { sent, statuses, found } = await fuzzFraming(app, framings, seed)
    tell({ what: 'requests with their framing spoilt', times: sent, came: `seed ${seed}: ${byStatus(statuses)}`, bad: found })
  })
  await expressions(tell)
}

function byStatus (statuses: Map<number, number>): string {
  return [...statuses].sort().map(([status, times]) => `${count(times)} × ${status}`).join(', ')
}

async function onServer (work: (server: TestServer) => Promise<void>): Promise<void> {
  const ends: Array<() => unknown> = []
  try {
    await work(await build({ teardown: (end: () => unknown) => ends.unshift(end) } as unknown as Test, { RATE_LIMIT: 'off' }))
  } finally {
    for (const end of ends) await end()
  }
}

async function tenants (server: TestServer, wall: string): Promise<Row> {
  const victim = await plantVictim(server)
  const attacks = attacksOf(await describeService(), await gather(server, victim))
  const clients = { business: await server.as('director@demo.example'), accounts: await server.as('corporativo@demo.example') }
  const before = JSON.stringify(await trace(server))
  const restore = await walls[wall]?.(server)
  const found = []
  for (const attack of attacks) {
    const told = await breach(server, clients, attack)
    if (told !== undefined) found.push(`${attack.what}: ${told}`)
  }
  await restore?.()
  if (JSON.stringify(await trace(server)) !== before) found.push('the other tenant’s records have changed')
  return { what: `another tenant’s and nobody’s, ${wall}`, times: attacks.length, came: found.length === 0 ? 'each answered as nobody’s is, and no record has changed' : 'answers tell one from the other, or records have changed', bad: found }
}

async function times (server: TestServer, rounds: number, tell: Tell): Promise<void> {
  const victim = await plantVictim(server)
  const director = await server.as('director@demo.example')
  for (const { what, p, differenceUs } of await compareTimes(director, victim, rounds)) {
    tell({ what: `times of ${what}`, times: 2 * rounds, came: `medians ${differenceUs.toFixed(1)} µs apart, p = ${p.toFixed(4)}`, bad: p < 1e-4 ? ['the times tell another tenant’s record from nobody’s'] : [] })
  }
}

async function expressions (tell: Tell): Promise<void> {
  const all = await patterns()
  const found = all.filter(({ source, flags }) => checkSync(source, flags, { timeout: 30_000 }).status !== 'safe').map(({ source, flags, where }) => `${where}: /${source}/${flags}`)
  tell({ what: 'regular expressions', times: all.length, came: `${count(all.length - found.length)} take linear time`, bad: found })
}
