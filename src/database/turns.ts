import type { TurnCaller } from './write-turn.ts'
import { isDataError, retrying, type Row, type Sql, type Statement } from './sql.ts'
import { divideConnections, type Shares } from './shares.ts'
import { batch, longestWait } from './turn.ts'

/**
 * One kind of work that a turn does for many requests with one statement. `text` reads its parameters from `q`, a row a
 * request: `company`, the columns named here in order, and `i`, the request's place, which every answer row carries.
 * `q` stands for {@link asked}.
 */
export interface Shape {
  /** Prepared under this name. Leave it out if there are many such shapes. */
  name?: string
  /** Whether it may be slow in a large company. A shape without a name always counts as slow. */
  slow?: boolean
  /** Parameter columns of `q` after `company`, each with its PostgreSQL type. */
  columns: ReadonlyArray<readonly [name: string, type: string]>
  text: string
}

/** One request's share of a turn. */
export interface Ask {
  shape: Shape
  company: number
  /** Values of the shape's columns, in order. */
  values: unknown[]
  /** Asked for in the same transaction when all of the turn is done: where the shape itself has rows, these are the answer. */
  answer?: Pick<Ask, 'shape' | 'values'>
  /** The caller of a write, as authenticated. The write fails if the session or level has changed since. */
  caller?: TurnCaller
  /** The instant, by `performance.now()`, until which a write may wait; by default {@link longestWait} after it is asked. */
  deadline?: number
}

/** Asks in one turn at most. */
export const most = 200

/** The relation `q` of a shape with those columns, to be written into its text. @param asker the column that says who asks */
export function asked (columns: Shape['columns'], asker = 'company'): string {
  const parameters = [[asker, 'int'], ...columns] as const
  const arrays = parameters.map(([, type], index) => `$${index + 1}::${type}[]`)
  return `unnest(${arrays.join(', ')}) with ordinality as q (${parameters.map(([name]) => `"${name}"`).join(', ')}, i)`
}

/** The companies of asks, in the order in which writers lock them. */
export function companiesOf (asks: Ask[]): number[] {
  return [...new Set(asks.map(ask => ask.company))].sort((a, b) => a - b)
}

/** Asks as statements, one a shape, and how to deal the rows that these answer with back to the asks. */
export function together (asks: Ask[]): { statements: Statement[], deal: (results: Row[][]) => Row[][] } {
  const answering = [...asks.keys()].filter(index => asks[index]?.answer !== undefined)
  const first = grouped(asks)
  const last = grouped(answering.map(index => ({ ...asks[index] as Ask, ...asks[index]?.answer })))
  return {
    statements: [...first.statements, ...last.statements],
    deal (results) {
      const answers = first.deal(results)
      const rows = last.deal(results.slice(first.statements.length))
      for (const [place, index] of answering.entries()) {
        if ((answers[index] as Row[]).length > 0) answers[index] = rows[place] as Row[]
      }
      return answers
    }
  }
}

function grouped (asks: Ask[]): ReturnType<typeof together> {
  const groups = [...Map.groupBy(asks.keys(), index => (asks[index] as Ask).shape)]
  return {
    statements: groups.map(([shape, indexes]) => statement(shape, indexes.map(index => asks[index] as Ask))),
    deal (results) {
      const answers: Row[][] = asks.map(() => [])
      for (const [group, [, indexes]] of groups.entries()) {
        for (const row of results[group] as Row[]) answers[indexes[row['i'] - 1] as number]?.push(row)
      }
      return answers
    }
  }
}

function statement ({ name, text, columns }: Shape, asks: Ask[]): Statement {
  const values = [asks.map(ask => ask.company), ...columns.map((_, index) => asks.map(ask => ask.values[index] ?? null))]
  return { name, text, values }
}

/** The two ways to ask: what only looks, and what writes. */
export interface Turns {
  read: (ask: Ask) => Promise<Row[]>
  write: (ask: Ask) => Promise<Row[]>
}

/**
 * The read turn: all requests that arrive at the same moment run as one statement a shape, in one transaction that admits their companies.
 * Each row is pinned to its own company by the shape's join on `q`. Slow shapes run one by one on the connections for slow reads, so that
 * no other answer waits for them.
 */
export function readTurn (sql: Sql, { slowReads }: Shares = divideConnections(1)): (ask: Ask) => Promise<Row[]> {
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
