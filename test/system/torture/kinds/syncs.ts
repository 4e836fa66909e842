import type { Place } from '../../../support/process.ts'
import type { Result } from '../../sync/judge.ts'
import { planOf, trial } from '../../sync/trial.ts'
import { server } from '../places.ts'
import type { Kind } from './kinds.ts'
import { inFolder, noPostgres, onEmpty } from './places.ts'
import { count, type Row } from './table.ts'

/** Size of a trial: phones, rounds of kill, backup and restore, and the mean number of edits between them. */
const size = { phones: 10, rounds: 3, edits: 150 }

/** Trials of devices that edit offline and synchronize. */
export const syncs: Kind = {
  name: 'sync',
  about: 'devices that edit and synchronize while networks, servers and devices fail and databases are restored, each edit accounted for',
  async run ({ syncs: times, seed, postgres }, addRow) {
    const what = 'synchronizing devices'
    if (postgres === undefined) addRow({ what: `${what}, two servers, PostgreSQL`, why: noPostgres })
    else addRow(await repeated(`${what}, two servers, PostgreSQL`, times, seed, async number => await onEmpty(postgres, 'sync', async env => await tried(env, number))))
    addRow(await repeated(`${what}, embedded`, times, seed, async number => await tried({}, number)))
  }
}

/** Runs one trial on a new database. */
async function tried (env: Record<string, string>, seed: number): Promise<Result> {
  return await inFolder(async (folder) => {
    const place: Place = { ...folder, env }
    await create(place)
    return await trial(place, planOf(seed, size.phones, size.rounds, size.edits))
  })
}

/** Creates the database, with the demo data. */
async function create (place: Place): Promise<void> {
  const first = await server(place)
  await first.kill()
}

async function repeated (what: string, times: number, seed: number, run: (seed: number) => Promise<Result>): Promise<Row> {
  const sums: Record<string, number> = {}
  const bad: string[] = []
  for (let number = seed; number < seed + times; number++) {
    const { faults, counts } = await run(number)
    bad.push(...faults.map(fault => `seed ${number}: ${fault}`))
    for (const [name, value] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + value
  }
  return { what, times, result: ['edits', 'applied', 'reported', 'syncs', 'crashes', 'restores', 'unanswered'].map(name => `${count(sums[name] ?? 0)} ${name}`).join(', '), bad }
}
