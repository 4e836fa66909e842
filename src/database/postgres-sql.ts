import type pg from 'pg'
import { admit, sqlState, type Row, type Sql, type Statement } from './sql.ts'

/** Hot statements on a pool whose clients pipeline: a transaction's statements travel together. */
export function postgresSql (pool: pg.Pool): Sql {
  const send = async (client: pg.ClientBase | pg.Pool, statement: Statement): Promise<Row[]> =>
    (await client.query(statement)).rows

  return {
    query: async (statement) => await send(pool, statement),

    async within (companies, mode, statements) {
      const client = await pool.connect()
      const sent = await Promise.allSettled([
        client.query(`begin ${mode}`),
        send(client, admit(companies)),
        ...statements.map(async statement => await send(client, statement)),
        client.query('commit') // after a failed statement the server takes it for a rollback
      ])
      const errors = sent.filter(result => result.status === 'rejected').map(result => result.reason)
      // Without a code of the server's the connection itself has failed: the pool must not lend it again.
      client.release(errors.some(error => sqlState(error) === undefined))
      if (errors.length > 0) throw errors[0]
      return sent.slice(2, -1).map(result => (result as PromiseFulfilledResult<Row[]>).value)
    }
  }
}
