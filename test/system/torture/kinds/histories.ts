import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { faultsOf } from '../../history/checker.ts'
import { makeHistory, type Stage } from '../../history/season.ts'
import { tally } from '../../history/tally.ts'
import { tokensOf } from '../../../support/over-http.ts'
import { inFolder, noPostgres, onEmpty } from '../../kernel/places.ts'
import { server } from '../../kernel/process.ts'
import { looking, type Psql } from '../../kernel/psql.ts'
import { brokenRules } from '../../kernel/rules.ts'
import type { Kind } from './kinds.ts'
import { count, type Row } from '../../kernel/table.ts'

/** Acts of one history, each in its own company: enough for conflicts, few enough to keep the company small. */
const actsEach = 2000

/** Users who may create companies. Each is active in one company at a time, so this is also the number of concurrent histories. */
const emails = ['corporativo@demo.example', 'superusuario@demo.example']

/** Histories over two servers. */
export const histories: Kind = {
  name: 'history',
  about: 'concurrent reads and writes of the same records over two servers, each answer checked against all others',
  async run ({ acts, seed, postgres }, addRow) {
    if (postgres === undefined) return addRow({ what: 'competing reads and writes', why: noPostgres })
    await onEmpty(postgres, 'history', async env => await inFolder(async (folder) => {
      const place = { ...folder, env }
      await using first = await server(place)
      await using second = await server(place)
      addRow(await looking(place, async psql => await make([first.origin, second.origin], acts, seed, psql)))
    }))
  }
}

/** Makes histories until they have enough acts, and checks each. A history with a fault is kept in `bench/results/`. */
async function make (origins: string[], acts: number, begin: number, psql: Psql): Promise<Row> {
  const bad: string[] = []
  const counts = new Map<string, number>()
  let seed = begin
  let times = 0

  async function makeAs (email: string): Promise<void> {
    const stage: Stage = { origins, psql, token: (await tokensOf(origins[0], email, demoPassword)).access }
    while (times < acts) {
      const history = await makeHistory(stage, ++seed, ({ length }) => length >= actsEach, 4 + seed % 13)
      const faults = faultsOf(history)
      if (faults.length > 0) bad.push(...faults.map(fault => `seed ${history.seed}: ${fault}`), `the history is in ${keep(history.seed, history)}`)
      tally(history.acts, counts)
      times += history.acts.length
    }
  }
  await Promise.all(emails.map(async (email) => {
    await makeAs(email).catch(error => bad.push(`seed ${seed}: ${(error as Error).message}`))
  }))
  bad.push(...await brokenRules(psql))
  return { what: `competing reads and writes, ${origins.length} servers`, times, result: [...counts].map(([kind, times]) => `${count(times)} × ${kind}`).join(', '), bad }
}

function keep (seed: number, history: unknown): string {
  const folder = join(import.meta.dirname, '../../../../bench/results')
  const file = join(folder, `history-${seed}.json`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, JSON.stringify(history))
  return file
}
