import { onBoth } from '../../kernel/places.ts'
import { kill } from '../kill.ts'
import { faultRow } from './faults.ts'
import type { Kind } from './kinds.ts'

/** Kills the server at random moments, with PostgreSQL and with the embedded database. */
export const kills: Kind = {
  name: 'kills',
  about: 'the server killed by SIGKILL at random moments of a load',
  async run ({ kills: times, seed, postgres }, addRow) {
    await onBoth('server killed by SIGKILL', postgres, addRow,
      async (what, onNew) => faultRow(what, times, await onNew(async place => await kill(place, times, seed))))
  }
}
