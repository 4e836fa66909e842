import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Row, Sql, Statement } from '../../../../src/database/connection/sql.ts'
import type { BatchRequest } from '../../../../src/database/turns/batch-requests.ts'

/** A fake database that answers on command, or fails immediately with a lock timeout. */
export function fakeDatabase (locked: number[] = []) {
  const underWay: Array<{ companies: number[], answer: () => void }> = []
  async function within (companies: number[], _mode: string, statements: Array<Statement<object>>): Promise<Row[][]> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const run = { companies, answer: resolve }
    underWay.push(run)
    await promise
    if (underWay.includes(run)) underWay.splice(underWay.indexOf(run), 1)
    if (companies.some(company => locked.includes(company))) throw Object.assign(new Error('lock timeout'), { code: '55P03' })
    return statements.map(({ values: [rows] }) => (Array.isArray(rows) ? rows : []).map((_, index) => ({ i: index + 1 })))
  }
  const lockedOf = (companies: unknown) => locked.filter(company => (companies as number[]).includes(company)).map(company => ({ company }))
  const query = async (statement: Statement) => statement.text.includes('locked_companies') ? lockedOf(statement.values[0]) : (await within([], '', [statement]))[0]
  const sql = { query, within } as Sql
  return { sql, underWay, of: (company: number) => underWay.filter(({ companies }) => companies.includes(company)).length }
}

/** Waits until all work that needs no answer of the database has run. */
export const settle = async () => { for (let n = 0; n < 10; n++) await nextTurn() }

/** A request of a prepared query. */
export const quick = (company: number): BatchRequest => ({ company, values: [], query: { name: 'quick', columns: [], text: 'quick' } })
