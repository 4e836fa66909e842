import autocannon from 'autocannon'
import { megabyte } from '../../../support/trial/machine.ts'
import { mixedLoad } from '../../../support/trial/mixed-load.ts'
import type { Kind } from './kinds.ts'
import { noPostgres } from '../../kernel/places.ts'
import { count, type Row } from '../../kernel/table.ts'

/** Requests per second of the mixed load. */
const pace = 400
const sampleEvery = 5000

/** Permitted growth of memory from the second fifth of the load, after the warm-up, to the last. Garbage collection causes smaller changes. */
const growth = 0.15

/** A long steady load, with PostgreSQL and with the embedded database. */
export const soaks: Kind = {
  name: 'soak',
  about: `a mixed load of ${pace} requests a second, with the server's memory measured`,
  async run ({ minutes, postgres }, addRow) {
    const what = `mixed load for ${minutes} min`
    if (postgres === undefined) addRow({ what: `${what}, PostgreSQL`, why: noPostgres })
    else addRow(await soak(`${what}, PostgreSQL`, minutes, false))
    addRow(await soak(`${what}, embedded`, minutes, true))
  }
}

async function soak (what: string, minutes: number, embedded: boolean): Promise<Row> {
  await using mixed = await mixedLoad('obra_soak', embedded)
  const { server, calls } = mixed
  const samples: number[] = []
  const sampling = setInterval(() => { samples.push(server.usage().memory / megabyte) }, sampleEvery)
  let wrong = 0
  const { requests } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon({
      url: server.url,
      connections: 32,
      duration: minutes * 60,
      overallRate: pace,
      setupClient: client => client.setRequests([{ setupRequest: request => Object.assign(request, { body: undefined }, calls()) }])
    }, (error: Error | null, result) => error === null ? resolve(result) : reject(error))
    run.on('response', (_client, status) => { if (status !== 200 && status !== 201) wrong++ })
    run.on('reqError', () => { wrong++ })
  })
  clearInterval(sampling)

  const fifths = Array.from({ length: 5 }, (_, index) => samples.slice(samples.length * index / 5, samples.length * (index + 1) / 5))
  const means = fifths.map(part => part.reduce((sum, sample) => sum + sample, 0) / part.length)
  return {
    what,
    times: requests.total,
    result: `memory ${means.map(count).join(', ')} MB in each fifth, highest ${count(Math.max(...samples))} MB`,
    bad: [...wrong === 0 ? [] : [`${wrong} requests had no answer, or neither 200 nor 201`], ...grown(means)]
  }
}

/** Checks the growth of memory. @param means megabytes in each fifth of the load @returns failures */
export function grown (means: number[]): string[] {
  const [, second = 0, , , last = 0] = means
  return last <= second * (1 + growth) ? [] : [`memory kept growing: ${count(second)} MB in the second fifth, ${count(last)} MB in the last`]
}
