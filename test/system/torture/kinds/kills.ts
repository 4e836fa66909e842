import { killing } from '../kill.ts'
import { logIn, looking, server } from '../places.ts'
import { faultRow } from './faults.ts'
import type { Kind } from './kinds.ts'
import { inFolder, noPostgres, onEmpty } from './places.ts'
import type { Row } from './table.ts'

/** Kills the server at random moments, with PostgreSQL and with the embedded database. */
export const kills: Kind = {
  name: 'kills',
  about: 'the server killed by SIGKILL at random moments of a write load',
  async run ({ kills: times, seed, postgres }, addRow) {
    const what = 'server killed by SIGKILL'
    if (postgres === undefined) addRow({ what: `${what}, PostgreSQL`, why: noPostgres })
    else addRow(await onEmpty(postgres, 'kills', async env => await killed(`${what}, PostgreSQL`, env, times, seed)))
    addRow(await killed(`${what}, embedded`, {}, times, seed))
  }
}

async function killed (what: string, env: Record<string, string>, times: number, seed: number): Promise<Row> {
  return await inFolder(async (folder) => {
    const place = { ...folder, env }
    await using subject = await server(place)
    return faultRow(what, times, await killing(subject, await logIn(subject.origin), times, seed, async (work) => {
      await subject.kill()
      return await looking(place, work)
    }))
  })
}
