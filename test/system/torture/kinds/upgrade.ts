import { join } from 'node:path'
import type { Phase } from '../../upgrade/balancer.ts'
import { checkOut, previousCommit, thisRelease, withoutHistory } from '../../upgrade/releases.ts'
import { upgrade } from '../../upgrade/trial.ts'
import type { Kind } from './kinds.ts'
import { inFolder, noPostgres, onEmpty } from '../../kernel/places.ts'
import { count } from '../../kernel/table.ts'

/** Seconds of each phase, and of the transaction that holds up the migration. */
const size = { seconds: 5, held: 15 }

/** A rolling upgrade from an earlier release, with a row for each phase. */
export const upgrades: Kind = {
  name: 'upgrade',
  about: 'a rolling upgrade from an earlier release (--from) on a database of --contracts: both releases serve it during and after the migration',
  async run ({ from, contracts, seed, postgres }, addRow) {
    const what = 'rolling upgrade'
    const why = postgres === undefined ? noPostgres : withoutHistory()
    if (postgres === undefined || why !== undefined) return addRow({ what, why: why as string })
    await inFolder(async ({ dir }) => await onEmpty(postgres, 'upgrade', async ({ DATABASE_URL: url }) => {
      const old = await checkOut(from ?? previousCommit(), join(dir, 'old'))
      const { phases, counts, faults } = await upgrade({ url, dir, old, seed, contracts, ...size })
      for (const phase of phases) addRow({ what: `${phase.name}, ${(phase.lasted / 1000).toFixed(1)} s`, times: sum(phase), result: resultOf(phase), bad: [] })
      addRow({ what: `${what} from ${old.commit}, migration ${old.migration} to ${thisRelease.migration}`, times: 1, result: Object.entries(counts).map(([name, number]) => `${count(number)} ${name}`).join(', '), bad: faults })
    }))
  }
}

function sum ({ answers }: Phase): number {
  return [...answers.values()].reduce((sum, number) => sum + number, 0)
}

function resultOf ({ answers, slowest }: Phase): string {
  return `${[...answers].sort(([a], [b]) => a.localeCompare(b)).map(([outcome, number]) => `${outcome}: ${count(number)}`).join(', ')}; slowest ${count(slowest)} ms`
}
