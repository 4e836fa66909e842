import { setTimeout as sleep } from 'node:timers/promises'
import type { Place } from '../../support/process.ts'
import { randomFrom, type Random } from '../../support/trial/random.ts'
import { exchangeOver } from '../kernel/client.ts'
import { underLoad } from '../kernel/load.ts'
import { castOf, type Cast } from './cast.ts'
import { coalescing } from './coalescing.ts'
import type { Endpoint } from './endpoint.ts'
import { judge } from './judge/judge.ts'
import { arrival, writeMarks, type Marks } from './marks.ts'
import { Owner } from './owner.ts'
import { writeByPsql } from './psql-writer.ts'
import { Servers, type Disturbance } from './servers.ts'
import type { User } from './user.ts'
import { passTime, readTruth, type Truth } from './watch.ts'

/** What happens to servers and database. `long kill`: the leases of the killed server end by themselves. */
export type Event = 'kill' | 'long kill' | 'restart' | 'freeze' | 'outage'

/** Length and size of a trial. */
export interface Plan {
  seed: number
  /** Webhooks per company. */
  webhooks: number
  /** Events, in order. An embedded database has only kills and restarts. */
  events: Event[]
  /** Accepted deliveries before, between and after the events. */
  deliveries: number
}

/** The result of a trial. */
export interface Result {
  faults: string[]
  counts: Record<string, number>
  /** For a closer look at a fault. */
  endpoints: Endpoint[]
  disturbances: Disturbance[]
}

/** Longest time in ms until everything is delivered to receivers that accept all: an attempt and the lease of a killed server, on a slow machine. */
const patience = 60_000

/** Writes while receivers, servers and the database fail; then lets everything be delivered, and judges it. */
export async function trial (place: Place, plan: Plan): Promise<Result> {
  const { seed } = plan
  await using servers = await Servers.open(place, randomFrom(seed + 1))
  await using undo = new AsyncDisposableStack()
  const cast = await castOf(servers, seed, plan.webhooks)
  const { bases, endpoints } = cast
  for (const { receiver } of endpoints) undo.defer(async () => await receiver.down())

  const tokens = [...bases.keys()].map(({ token }) => token)
  const exchange = (random: Random) => exchangeOver(servers.site.origins, random)
  const late: string[] = []
  let truth: Truth | undefined
  const { bad } = await underLoad({
    exchange,
    tokens,
    seed,
    actors: 2,
    writes: 90,
    pause: 60,
    patience: 150_000,
    mayLose: true,
    isShared: true,
    look: async work => await servers.site.end(async (psql) => {
      truth = await readTruth(psql)
      return await work(psql)
    })
  }, async ({ end }) => {
    await play(servers, cast, plan)
    await end()
    late.push(...await deliverAll(cast))
  })
  if (truth === undefined) throw new Error(bad.join('\n'))
  const faults = [...servers.faults, ...late, ...bad, ...judge(endpoints, truth, servers.disturbances)]
  return { faults, counts: { changes: truth.log.length, ...countsOf(endpoints) }, endpoints, disturbances: servers.disturbances }
}

/** Lets everything be delivered to receivers that accept all. @returns what is not delivered, or too often */
async function deliverAll ({ bases, endpoints }: Cast): Promise<string[]> {
  for (const { receiver } of endpoints) await receiver.heal()
  await Promise.all(endpoints.map(async endpoint => await endpoint.move()))
  const marks = new Map(await Promise.all([...bases].map(async ([user, base]): Promise<[User, Marks]> => [user, await writeMarks(user, base, 'last')])))
  const stuck = (await Promise.all(endpoints.map(async (endpoint) => {
    const missing = await arrival(endpoint, marks.get(endpoint.user) as Marks, patience)
    return missing.map(type => `${endpoint.name} is stuck: no ${type}`)
  }))).flat()
  const repeated = stuck.length === 0 ? await coalescing(endpoints, bases, patience) : []
  // A delivery too many would follow at once.
  await sleep(500)
  return [...stuck, ...repeated]
}

/** Lets owners act and things happen. */
async function play (servers: Servers, { endpoints }: Cast, { seed, events, deliveries }: Plan): Promise<void> {
  const random = randomFrom(seed)
  const companies = companiesOf(endpoints)
  const state = { isOver: false }
  const isOver = () => state.isOver
  const accepted = () => endpoints.reduce((sum, { receiver }) => sum + receiver.hits.filter(({ isAccepted }) => isAccepted).length, 0)

  /** Waits for deliveries, at most 20 s. */
  async function enough (): Promise<void> {
    const late = performance.now() + 20_000
    for (const wanted = accepted() + deliveries * (0.5 + random()); accepted() < wanted && performance.now() < late;) await sleep(20)
  }

  async function happen (): Promise<void> {
    try {
      for (const event of events) {
        await enough()
        await cause(servers, event, endpoints, random)
      }
      await enough()
    } finally {
      state.isOver = true
    }
  }
  await Promise.all([
    happen(),
    ...endpoints.map(async (endpoint, number) => {
      // Most webhooks are created while records change.
      await sleep(number * 50)
      await endpoint.open()
      await new Owner(endpoint, randomFrom(seed + 400 + number), isOver).run()
    }),
    ...servers.site.url !== undefined ? [1, 2].map(async number => await administer(servers, companies, randomFrom(seed + 500 + number), isOver)) : []
  ])
}

async function cause (servers: Servers, event: Event, endpoints: Endpoint[], random: Random): Promise<void> {
  if (event === 'restart') await servers.restart()
  else if (event === 'freeze') await servers.freeze(endpoints, 500 + random() * 1000)
  else if (event === 'outage') await servers.outage(random() * 3000)
  else {
    await servers.kill(event === 'kill', async (psql) => {
      for (let write = 0; write < 10; write++) await writeByPsql(psql, companiesOf(endpoints), random)
    })
  }
}

/** Writes by psql, and lets time pass for failed deliveries. */
async function administer (servers: Servers, companies: number[], random: Random, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    // While the database refuses connections, it fails.
    await servers.psql(async (psql) => {
      if (random() < 0.3) await passTime(psql)
      else await writeByPsql(psql, companies, random)
    }).catch(() => {})
    await sleep(random() * 200)
  }
}

function companiesOf (endpoints: Endpoint[]): number[] {
  return [...new Set(endpoints.map(({ user }) => user.company))]
}

function countsOf (endpoints: Endpoint[]): Record<string, number> {
  const hits = endpoints.flatMap(({ receiver }) => receiver.hits)
  const count = (isIt: (hit: typeof hits[number]) => boolean) => hits.filter(isIt).length
  return {
    deliveries: count(({ isAccepted, items }) => isAccepted && items.length > 0),
    failed: count(({ isAccepted }) => !isAccepted),
    delivered: hits.reduce((sum, { isAccepted, items }) => sum + (isAccepted ? items.length : 0), 0),
    replays: endpoints.reduce((sum, { replays }) => sum + replays.length, 0),
    skips: endpoints.reduce((sum, { skips }) => sum + skips.length, 0)
  }
}
