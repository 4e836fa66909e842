import { setTimeout as sleep } from 'node:timers/promises'
import { besiege } from '../siege.ts'
import { get, type Call } from '../../../../bench/http.ts'
import { megabyte } from '../../../../bench/machine.ts'
import { mixedLoad } from '../../../../bench/mixed-load.ts'
import type { Kind } from './kinds.ts'
import { noPostgres } from './places.ts'
import { count, type Row } from './table.ts'

/** Milliseconds that the server has to cut all whose request never ends; and that 99 of 100 readers may wait meanwhile. */
const limits = { cut: 60_000, p99: 1000 }

/** Connections held, on either database. */
export const sieges: Kind = {
  name: 'siege',
  about: 'connections held, half of them idle, half with a request that never ends, while others read',
  async run ({ connections, postgres }, tell) {
    const what = 'connections held'
    if (postgres === undefined) tell({ what: `${what}, PostgreSQL`, why: noPostgres })
    else tell(await siege(`${what}, PostgreSQL`, connections, false))
    tell(await siege(`${what}, embedded`, connections, true))
  }
}

async function siege (what: string, connections: number, embedded: boolean): Promise<Row> {
  await using mixed = await mixedLoad('obra_siege', embedded)
  const { server, calls } = mixed
  const before = server.usage().memory / megabyte
  const times: number[] = []
  let during = 0
  const { held, closed, answers } = await besiege(server.url, { idle: connections, slow: connections }, async (siege) => {
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
  const p99 = times[Math.floor(times.length * 0.99)] as number
  return {
    what,
    times: held,
    came: `${count(closed)} cut by ${[...answers].map(answer => answer.replace(/^HTTP\/1\.1 /, '')).join(', ')}; ${count(times.length)} answered, p99 ${count(p99)} ms; memory ${count(before)} → ${count(during)} MB`,
    bad: [
      ...held === 2 * connections ? [] : [`${held} connections of ${2 * connections} were opened, and answered where they asked`],
      ...closed === connections ? [] : [`${closed} connections were closed, of ${connections} whose request never ends`],
      ...p99 <= limits.p99 ? [] : [`p99 is ${count(p99)} ms, which may be ${count(limits.p99)}`]
    ]
  }
}

function reading (calls: () => Call): Call {
  for (;;) {
    const call = calls()
    if (call.method === undefined) return call
  }
}
