import type { PGlite } from '@electric-sql/pglite'
import { admit, type Row, type Sql, type Statement } from './sql.ts'

type Queryable = Pick<PGlite, 'query'>

/** Hot statements on the embedded database, which has one connection and takes one transaction after the other. */
export function embeddedSql (pglite: PGlite): Sql {
  const send = async (on: Queryable, { text, values }: Statement): Promise<Row[]> =>
    (await on.query<Row>(text, values)).rows

  return {
    query: async (statement) => await send(pglite, statement),

    async within (companies, _mode, statements) {
      return await pglite.transaction(async (transaction) => {
        await send(transaction, admit(companies))
        const answers: Row[][] = []
        for (const statement of statements) answers.push(await send(transaction, statement))
        return answers
      })
    }
  }
}
