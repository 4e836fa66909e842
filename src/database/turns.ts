import { batch, longestWait } from './turn.ts'
import { companiesOf, most, together, type Ask, type Shape } from './asks.ts'
import { retrying } from './retry.ts'
import { divideConnections, type Shares } from './shares.ts'
import { isDataError, type Row, type Sql } from './sql.ts'
import { writeTurn } from './write-turn.ts'

export { asked, together, type Ask, type Shape } from './asks.ts'

/** The two ways to ask: what only looks, and what writes. */
export interface Turns {
  read: (ask: Ask) => Promise<Row[]>
  write: (ask: Ask) => Promise<Row[]>
}

/**
 * Turns over the business data: what is asked at the same moment, whoever asks, runs as one statement a shape in one
 * transaction that admits the askers' companies. Each row is pinned to its own asker's company by the shape's join on `q`.
 */
export function turn (sql: Sql, mode: 'read only' | 'read write', shares = divideConnections(1)): (ask: Ask) => Promise<Row[]> {
  return mode === 'read only' ? readTurn(sql, shares) : writeTurn(sql, shares)
}

/** Runs slow shapes one by one on the connections for slow reads, so that no other answer waits for them. */
function readTurn (sql: Sql, { slowReads }: Shares): (ask: Ask) => Promise<Row[]> {
  const common = batch(async (asks: Ask[]) => await read(sql, asks), { name: 'read', inFlight: 2, most, isolates: isDataError })
  const slow = batch(async (asks: Ask[]) => await read(sql, asks), { name: 'read alone', inFlight: Infinity, most: 1 })
  return async (ask) => ask.shape.name !== undefined && ask.shape.slow !== true
    ? await common(ask)
    : await slowReads.run(ask.company, performance.now() + longestWait, async () => await slow(ask))
}

async function read (sql: Sql, asks: Ask[]): Promise<Row[][]> {
  const { distinct, places } = coalesced(asks)
  const { statements, deal } = together(distinct)
  const answers = deal(await retrying(async () => await sql.within(companiesOf(asks), 'read only', statements), performance.now() + longestWait))
  for (const [index, { company }] of distinct.entries()) pinned(answers[index] as Row[], company)
  return places.map(place => answers[place] as Row[])
}

/** What several ask for alike is asked once. All of a turn's asks have come before it runs: nobody gets what was read before. */
function coalesced (asks: Ask[]): { distinct: Ask[], places: number[] } {
  const distinct: Ask[] = []
  const seen = new Map<Shape, Map<string, number>>()
  const places = asks.map((ask) => {
    const known = seen.get(ask.shape) ?? seen.set(ask.shape, new Map()).get(ask.shape) as Map<string, number>
    const key = `${ask.company} ${JSON.stringify(ask.values)}`
    const place = known.get(key)
    if (place !== undefined) return place
    known.set(key, distinct.length)
    return distinct.push(ask) - 1
  })
  return { distinct, places }
}

/** The policies admit every company of a batch: a list or record that forgot to pin its rows must not be answered with. */
function pinned (rows: Row[], company: number): void {
  const stray = rows.find(row => row['company'] != null && row['company'] !== company)
  if (stray !== undefined) throw new Error(`a row of company ${stray['company']} in the answer to company ${company}`)
}
