import { onBoth, repeated } from '../../kernel/places.ts'
import { planOf, trial } from '../../sync/trial.ts'
import type { Kind } from './kinds.ts'

/** Size of a trial: phones, rounds of kill, backup and restore, and the mean number of edits between them. */
const size = { phones: 10, rounds: 3, edits: 150 }

/** Trials of devices that edit offline and synchronize. */
export const syncs: Kind = {
  name: 'sync',
  about: 'devices that edit and synchronize while networks, servers and devices fail and databases are restored, each edit accounted for',
  async run ({ syncs: times, seed, postgres }, addRow) {
    await onBoth('synchronizing devices', postgres, addRow, async (what, onNew) => await repeated(what, times, seed,
      async seed => await onNew(async place => await trial(place, planOf(seed, size.phones, size.rounds, size.edits)))))
  }
}
