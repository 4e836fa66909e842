import t from 'tap'
import { purgeHistory } from '../../../../src/jobs/purging/history.ts'
import { openCompared } from '../../../support/compared.ts'

t.test('entries of before a day are removed, of each company and of accounts', async (t) => {
  const { orm } = await openCompared(t)
  const run = async (text: string) => await orm.em.fork().transactional(async (em) => {
    await em.execute("select set_config('app.companies', (select '{0,' || string_agg(id::text, ',') || '}' from companies), true)")
    return await em.execute<Array<Record<string, unknown>>>(text)
  })
  await run('delete from history')
  for (const [company, day] of [[0, '2025-12-31T23:59:59Z'], [0, '2026-01-01T00:00:00Z'], [1, '2020-01-01T00:00:00Z'], [1, '2026-02-01T00:00:00Z'], [2, '2025-01-01T00:00:00Z']]) {
    await run(`insert into history (company_id, resource, record_id, version, at, operation, fields)
      select ${company}, 'contracts', n, 1, '${day}', 'insert', '{}' from generate_series(1, ${company === 1 ? 6000 : 1}) n`)
  }
  t.equal(await purgeHistory(orm, '2026-01-01'), 6002)
  t.strictSame(await run('select company_id, count(*)::int as count from history group by 1 order by 1'), [{ company_id: 0, count: 1 }, { company_id: 1, count: 6000 }])
})
