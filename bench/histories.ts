import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoPassword } from '../src/demo/data.ts'
import { faultsOf } from '../test/history/checker.ts'
import { season, type Stage } from '../test/history/season.ts'
import { tally } from '../test/history/tally.ts'
import { tokensOf } from '../test/over-http.ts'
import { brokenRules, type Psql } from '../test/torture/integrity.ts'
import type { Attacked } from './attacks.ts'

/** Acts of one history, each of which has a company of its own: so many that all competes, and so few that the company stays small. */
const actsEach = 2000

/** They may have any company made active; each is in one at a time, so there are as many histories at once. */
const emails = ['corporativo@demo.example', 'superusuario@demo.example']

/** Makes histories until there are so many acts, and checks each. What is found is kept with its history in `bench/results/`. */
export async function histories (origins: string[], acts: number, psql: Psql): Promise<Attacked> {
  const found: string[] = []
  const counts = new Map<string, number>()
  let seed = Date.now() % 1_000_000
  let times = 0

  async function make (email: string): Promise<void> {
    const stage: Stage = { origins, psql, token: (await tokensOf(origins[0] as string, email, demoPassword)).access }
    while (times < acts) {
      const history = await season(stage, ++seed, actsEach, 4 + seed % 13)
      const faults = faultsOf(history)
      if (faults.length > 0) found.push(...faults.map(fault => `seed ${history.seed}: ${fault}`), `all of it is in ${keep(history.seed, history)}`)
      tally(history.acts, counts)
      times += history.acts.length
    }
  }
  await Promise.all(emails.map(async (email) => {
    await make(email).catch(error => found.push(`seed ${seed}: ${(error as Error).message}`))
  }))
  found.push(...await brokenRules(psql))
  return { what: `competing reads and writes, ${origins.length} servers (${[...counts].map(([kind, times]) => `${kind}: ${times}`).join(', ')})`, times, found }
}

function keep (seed: number, history: unknown): string {
  const folder = join(import.meta.dirname, 'results')
  const file = join(folder, `history-${seed}.json`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, JSON.stringify(history))
  return file
}
