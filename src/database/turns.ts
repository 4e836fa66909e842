import { LRUCache } from 'lru-cache'
import { batch } from '../turn.ts'
import { isDataError, isHeld, type Row, type Sql, type Statement } from './sql.ts'
import { retrying } from './retry.ts'

/**
 * One kind of work that a turn does for many requests with one statement. `text` reads its parameters from `q`, a row a
 * request: `company`, the columns named here in order, and `i`, the request's place, which every answer row carries.
 * `q` stands for {@link asked}.
 */
export interface Shape {
  /** Prepared under this name; leave it out for shapes of which there are many. */
  name?: string
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
}

/** The two ways to ask: what only looks, and what writes. */
export interface Turns {
  read: (ask: Ask) => Promise<Row[]>
  write: (ask: Ask) => Promise<Row[]>
}

/** The relation `q` of a shape with those columns, to be written into its text. @param asker the column that says who asks */
export function asked (columns: Shape['columns'], asker = 'company'): string {
  const parameters = [[asker, 'int'], ...columns] as const
  const arrays = parameters.map(([, type], index) => `$${index + 1}::${type}[]`)
  return `unnest(${arrays.join(', ')}) with ordinality as q (${parameters.map(([name]) => `"${name}"`).join(', ')}, i)`
}

/**
 * Turns over the business data: what is asked at the same moment, whoever asks, runs as one statement a shape in one
 * transaction that admits the askers' companies. Each row is pinned to its own asker's company by the shape's join on `q`.
 * A company whose lock is not to be had has turns of its own meanwhile, so that no other company's asks wait for it.
 * @param isBusy whether this process knows that the lock may not be had for a while; what others hold is found out by waiting briefly
 */
export function turn (sql: Sql, mode: 'read only' | 'read write', isBusy: (company: number) => boolean = () => false): (ask: Ask) => Promise<Row[]> {
  // What is asked while a run is out makes the next one larger, which costs less than two small ones; a read may be slow, and others go by.
  const name = mode === 'read only' ? 'read' : 'write'
  const common = batch(run(sql, mode, lockBriefly), { name, inFlight: mode === 'read only' ? 2 : 1, most: 200, isolates: isDataError })
  // Shapes without a name are rare and may be slow: nobody else's answer waits for theirs.
  const rare = batch(run(sql, mode), { name: `${name} alone`, inFlight: 4, most: 1 })
  const apart = new LRUCache<number, typeof common>({ max: 1000, memoMethod: () => batch(run(sql, mode), { name: `${name} apart`, inFlight: 1, most: 200, isolates: isDataError }) })
  const waiting = new Map<number, number>()

  async function askApart (ask: Ask): Promise<Row[]> {
    const { company } = ask
    waiting.set(company, (waiting.get(company) ?? 0) + 1)
    try {
      return await apart.memo(company)(ask)
    } finally {
      const others = waiting.get(company) as number - 1
      if (others > 0) waiting.set(company, others)
      else waiting.delete(company)
    }
  }

  return async (ask) => {
    if (isBusy(ask.company) || waiting.has(ask.company)) return await askApart(ask)
    if (ask.shape.name === undefined) return await rare(ask)
    try {
      return await common(ask)
    } catch (error) {
      if (!isHeld(error)) throw error
      return await askApart(ask)
    }
  }
}

function run (sql: Sql, mode: 'read only' | 'read write', locking = lock): (asks: Ask[]) => Promise<Row[][]> {
  return async (asks) => {
    const companies = [...new Set(asks.map(ask => ask.company))].sort((a, b) => a - b)
    if (mode === 'read write') {
      const { statements, deal } = together(asks)
      const [, ...results] = await retrying(async () => await sql.within(companies, mode, [locking(companies), ...statements]))
      return deal(results)
    }
    const { distinct, places } = coalesced(asks)
    const { statements, deal } = together(distinct)
    const answers = deal(await retrying(async () => await sql.within(companies, mode, statements)))
    for (const [index, { company }] of distinct.entries()) pinned(answers[index] as Row[], company)
    return places.map(place => answers[place] as Row[])
  }
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

/** Writers of a company queue on its revision before they write: what they then read stays true until they commit. */
export function lock (companies: number[]): Statement {
  return { name: 'lock', text: 'select lock_companies($1::int[])', values: [companies] }
}

/** As {@link lock}, by a turn of many companies: it rather fails than has all of them wait for one's. @throws what {@link isHeld} knows */
function lockBriefly (companies: number[]): Statement {
  return { name: 'lock briefly', text: "select lock_companies(case when set_config('lock_timeout', '100ms', true) is not null then $1::int[] end)", values: [companies] }
}
