import type { Test } from 'tap'
import { checkSync } from 'recheck'
import { describeService } from '../../../../src/server/describe-service.ts'
import { fuzzFraming } from '../../attacks/framing.ts'
import { fuzz } from '../../attacks/fuzz.ts'
import { compareGrowth } from '../../attacks/growth.ts'
import { gather } from '../../attacks/loot.ts'
import { patterns } from '../../attacks/patterns.ts'
import { attacksOf } from '../../attacks/tenants.ts'
import { compareTimes } from '../../attacks/timing.ts'
import { breach, trace, walls } from '../../attacks/walls.ts'
import { build, type TestServer } from '../../../support/helper.ts'
import { plantVictim } from '../../walls/victim.ts'
import { count, type Row, type AddRow } from '../../kernel/table.ts'

/** The number of attacks of each sort. */
export interface Amounts {
  /** Number of random requests. */
  shots: number
  /** Number of requests with mutated framing. */
  framings: number
  /** Seed of all random choices. */
  seed: number
  /** Requests of each kind for the comparison of times. */
  rounds: number
}

/** Runs the attacks one after the other, each on its own server and database. */
export async function attackAll ({ shots, framings, seed, rounds }: Amounts, addRow: AddRow): Promise<void> {
  for (const name of Object.keys(walls)) await onServer(async server => addRow(await tenants(server, name)))
  await onServer(async server => await times(server, rounds, addRow))
  await onServer(async (server) => {
    const { compared, found } = await compareGrowth(await server.as('director@demo.example'))
    addRow({ what: 'bodies four times as long', times: compared, result: found.length === 0 ? 'each takes less than eight times as long' : 'some take eight times as long, or longer', bad: found })
  })
  await onServer(async (server) => {
    const { statuses, found } = await fuzz(server, shots, seed)
    addRow({ what: 'random requests', times: shots, result: `seed ${seed}: ${byStatus(statuses)}`, bad: found })
  })
  await onServer(async ({ app }) => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { sent, statuses, found } = await fuzzFraming(app, framings, seed)
    addRow({ what: 'requests with mutated framing', times: sent, result: `seed ${seed}: ${byStatus(statuses)}`, bad: found })
  })
  await expressions(addRow)
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
    const difference = await breach(server, clients, attack)
    if (difference !== undefined) found.push(`${attack.what}: ${difference}`)
  }
  await restore?.()
  if (JSON.stringify(await trace(server)) !== before) found.push('the records of the other tenant have changed')
  return { what: `another tenant’s and absent records, ${wall}`, times: attacks.length, result: found.length === 0 ? 'the same answers for both, and no record has changed' : 'answers differ, or records have changed', bad: found }
}

async function times (server: TestServer, rounds: number, addRow: AddRow): Promise<void> {
  const victim = await plantVictim(server)
  const director = await server.as('director@demo.example')
  for (const { what, p, differenceUs } of await compareTimes(director, victim, rounds)) {
    addRow({ what: `times of ${what}`, times: 2 * rounds, result: `medians ${differenceUs.toFixed(1)} µs apart, p = ${p.toFixed(4)}`, bad: p < 1e-4 ? ['the times distinguish another tenant’s record from an absent one'] : [] })
  }
}

async function expressions (addRow: AddRow): Promise<void> {
  const all = await patterns()
  const found = all.filter(({ source, flags }) => checkSync(source, flags, { timeout: 30_000 }).status !== 'safe').map(({ source, flags, where }) => `${where}: /${source}/${flags}`)
  addRow({ what: 'regular expressions', times: all.length, result: `${count(all.length - found.length)} take linear time`, bad: found })
}
