import { setTimeout as sleep } from 'node:timers/promises'
import { holdConnections } from '../siege.ts'
import { get, type Call } from '../../../support/trial/http.ts'
import { megabyte } from '../../../support/trial/machine.ts'
import { mixedLoad } from '../../../support/trial/mixed-load.ts'
import type { Kind } from './kinds.ts'
import { noPostgres } from '../../kernel/places.ts'
import { count, type Row } from '../../kernel/table.ts'

/** Limits in ms: of the time until all unfinished requests are closed, and of the readers' p99 meanwhile. */
const limits = { cut: 60_000, p99: 1000 }

/** Many open connections, with PostgreSQL and with the embedded database. */
export const sieges: Kind = {
  name: 'siege',
  about: 'open connections, half of them idle, half with an unfinished request, while others read',
  async run ({ connections, postgres }, addRow) {
    const what = 'open connections'
    if (postgres === undefined) addRow({ what: `${what}, PostgreSQL`, why: noPostgres })
    else addRow(await siege(`${what}, PostgreSQL`, connections, false))
    addRow(await siege(`${what}, embedded`, connections, true))
  }
}

async function siege (what: string, connections: number, embedded: boolean): Promise<Row> {
  await using mixed = await mixedLoad('obra_siege', embedded)
  const { server, calls } = mixed
  const before = server.usage().memory / megabyte
  const times: number[] = []
  let during = 0
  const { held, closed, answers } = await holdConnections(server.url, { idle: connections, slow: connections }, async (siege) => {
    during = server.usage().memory / megabyte
    const late = performance.now() + limits.cut
    for (let more = 200; more > 0 || (siege.closed < connections && performance.now() < late); more--) {
      const start = performance.now()
      await get(server.url, reading(calls))
      times.push(performance.now() - start)
      await sleep(20)
    }
  })
  times.sort((a, b) => a - b)
  const p99 = times[Math.floor(times.length * 0.99)]
  return {
    what,
    times: held,
    result: `${count(closed)} closed with ${[...answers].map(answer => answer.replace(/^HTTP\/1\.1 /, '')).join(', ')}; ${count(times.length)} answered, p99 ${count(p99)} ms; memory ${count(before)} → ${count(during)} MB`,
    bad: [
      ...held === 2 * connections ? [] : [`${held} connections of ${2 * connections} were opened and answered`],
      ...closed === connections ? [] : [`${closed} of ${connections} connections with an unfinished request were closed`],
      ...p99 <= limits.p99 ? [] : [`p99 is ${count(p99)} ms, limit ${count(limits.p99)} ms`]
    ]
  }
}

function reading (calls: () => Call): Call {
  for (;;) {
    const call = calls()
    if (call.method === undefined) return call
  }
}
