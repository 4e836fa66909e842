import { onBoth, repeated } from '../../kernel/places.ts'
import { trial } from '../../files/trial.ts'
import type { Kind } from './kinds.ts'

/** Kills of a server in a trial. */
const kills = 8

/** Files over networks that cut and lose, to servers that are killed. */
export const fileTrials: Kind = {
  name: 'files',
  about: 'files that are sent whole and in parts over a network that cuts, loses and repeats, while servers are killed, each compared with its hash',
  async run ({ files, seed, postgres }, addRow) {
    await onBoth('sending files', postgres, addRow, async (what, onNew) => await repeated(what, 1, seed, async seed =>
      await onNew(async place => await trial(place, { seed, files, kills }))))
  }
}
