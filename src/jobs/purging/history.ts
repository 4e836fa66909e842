import type { Orm } from '../../database/connection/orm.ts'

const rowsAtOnce = 5000

/**
 * Removes old entries of the history, each company's in small transactions.
 * @param orm connected as the owner of the tables, because the service's role cannot delete entries
 * @param day `YYYY-MM-DD`: the first day, in UTC, whose entries stay
 * @returns the number of removed entries
 */
export async function purgeHistory (orm: Orm, day: string): Promise<number> {
  const companies = await orm.em.fork().execute<Array<{ id: number }>>('select id from companies order by id')
  let removed = 0
  // 0 has the entries of accounts that belong to no company.
  for (const id of [0, ...companies.map(({ id }) => id)]) {
    let rows
    do {
      removed += rows = await removeBatch(orm, id, day)
    } while (rows === rowsAtOnce)
  }
  return removed
}

async function removeBatch (orm: Orm, company: number, day: string): Promise<number> {
  return await orm.em.fork().transactional(async (em) => {
    await em.execute("select set_config('app.companies', ?, true)", [`{${company}}`])
    const [{ rows }] = await em.execute<[{ rows: number }]>(`
      with removed as (
        delete from history where ctid = any (array(
          select ctid from history where company_id = ? and at < ?::timestamptz order by at limit ${rowsAtOnce})) returning 1)
      select count(*)::int as rows from removed`, [company, `${day}T00:00Z`])
    return rows
  })
}
