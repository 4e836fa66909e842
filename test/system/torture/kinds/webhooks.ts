import type { Place } from '../../../support/process.ts'
import { pick, randomFrom } from '../../../../src/trial/random.ts'
import { trial, type Event, type Result } from '../../webhooks/trial.ts'
import { server } from '../places.ts'
import type { Kind } from './kinds.ts'
import { inFolder, noPostgres, onEmpty } from './places.ts'
import { count, type Row } from './table.ts'

/** Size of a trial: webhooks per company, events, and the mean number of deliveries between them. */
const size = { webhooks: 6, events: 8, deliveries: 150 }

const shared: Event[] = ['kill', 'kill', 'long kill', 'restart', 'freeze', 'outage']
const embedded: Event[] = ['kill', 'restart']

/** Trials of webhooks whose receivers, servers and databases fail. */
export const webhookTrials: Kind = {
  name: 'webhooks',
  about: 'deliveries to receivers that fail in every way, while servers are killed and the database fails, each compared with the change log',
  async run ({ webhooks: times, seed, postgres }, addRow) {
    const what = 'delivering webhooks'
    if (postgres === undefined) addRow({ what: `${what}, two servers, PostgreSQL`, why: noPostgres })
    else addRow(await repeated(`${what}, two servers, PostgreSQL`, times, seed, async number => await onEmpty(postgres, 'webhooks', async env => await tried(env, number))))
    addRow(await repeated(`${what}, embedded`, times, seed, async number => await tried({}, number)))
  }
}

/** Runs one trial on a new database. */
async function tried (env: Record<string, string>, seed: number): Promise<Result> {
  const random = randomFrom(seed)
  const { webhooks, deliveries } = size
  const events = Array.from({ length: size.events }, () => pick('DATABASE_URL' in env ? shared : embedded, random))
  return await inFolder(async (folder) => {
    const place: Place = { ...folder, env }
    // It creates the database, with the demo data.
    const first = await server(place)
    await first.stop()
    return await trial(place, { seed, webhooks, events, deliveries })
  })
}

async function repeated (what: string, times: number, seed: number, run: (seed: number) => Promise<Result>): Promise<Row> {
  const sums: Record<string, number> = {}
  const bad: string[] = []
  for (let number = seed; number < seed + times; number++) {
    const { faults, counts } = await run(number)
    bad.push(...faults.map(fault => `seed ${number}: ${fault}`))
    for (const [name, value] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + value
  }
  return { what, times, result: Object.entries(sums).map(([name, sum]) => `${count(sum)} ${name}`).join(', '), bad }
}
