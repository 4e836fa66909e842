import { randomFrom } from '../../support/trial/random.ts'
import type { Client } from '../../support/helper.ts'
import type { Victim } from '../walls/victim.ts'

const absent = 1_999_999_999

/** Comparison of the times of two kinds of requests. */
export interface Comparison {
  what: string
  /** The two-sided p of the Mann–Whitney U test. */
  p: number
  /** Median for another tenant's record minus the median for an absent one, in microseconds. */
  differenceUs: number
}

/** Times requests for another tenant's records and for absent ones, one at a time in random order. @param rounds requests of each kind */
export async function compareTimes (client: Client, { id, contraparte, estimate, external_id: external }: Victim, rounds: number): Promise<Comparison[]> {
  const kinds: Record<string, [(value: number | string) => Promise<unknown>, theirs: number | string, nobodys: number | string]> = {
    'GET contracts/{id}/': [async id => await client.get(`contracts/${id}/`), id, absent],
    'GET contracts/{id}/tree/': [async id => await client.get(`contracts/${id}/tree/`), id, absent],
    'PATCH estimates/{id}/': [async id => await client.send('PATCH', `estimates/${id}/`, { monto: '1' }), estimate, absent],
    'DELETE contrapartes/{id}/': [async id => await client.send('DELETE', `contrapartes/${id}/`), contraparte, absent],
    'POST estimates/ contract': [async contract => await client.post('estimates/', { contract }), id, absent],
    'GET contracts/?external_id=': [async external => await client.get(`contracts/?external_id=${external}`), external, 'erp-ninguno']
  }
  const comparisons = []
  for (const [what, [send, theirs, nobodys]] of Object.entries(kinds)) {
    const random = randomFrom(rounds)
    const times: [number[], number[]] = [[], []]
    for (let warm = 0; warm < 200; warm++) await send(warm % 2 === 0 ? theirs : nobodys)
    while (times[0].length < rounds || times[1].length < rounds) {
      const which = times[0].length === rounds ? 1 : times[1].length === rounds ? 0 : random() < 0.5 ? 0 : 1
      const start = performance.now()
      await send(which === 0 ? theirs : nobodys)
      times[which].push(performance.now() - start)
    }
    comparisons.push({ what, p: mannWhitney(...times), differenceUs: (median(times[0]) - median(times[1])) * 1000 })
  }
  return comparisons
}

function median (values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

/** The two-sided p of the Mann–Whitney U test by the normal approximation, which holds for 20 values or more on each side. */
export function mannWhitney (one: number[], other: number[]): number {
  const ranked = [...one.map(value => ({ value, own: true })), ...other.map(value => ({ value, own: false }))].sort((a, b) => a.value - b.value)
  let sum = 0
  for (let from = 0; from < ranked.length;) {
    let to = from
    while (to < ranked.length && ranked[to]?.value === ranked[from]?.value) to++
    for (let index = from; index < to; index++) if (ranked[index]?.own === true) sum += (from + to + 1) / 2 // equal values get their mean rank
    from = to
  }
  const [n, m] = [one.length, other.length]
  const z = Math.abs(sum - n * (n + 1) / 2 - n * m / 2) / Math.sqrt(n * m * (n + m + 1) / 12)
  return 2 * (1 - normal(z))
}

/** The cumulative normal distribution, to seven decimals (Abramowitz and Stegun, 26.2.17). */
function normal (z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const tail = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return 1 - Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) * tail
}
