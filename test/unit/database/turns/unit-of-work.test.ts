import t from 'tap'
import { inCompany } from '../../../../src/database/turns/unit-of-work.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { openSession } from '../../../support/session.ts'
import { server } from '../../../support/template.ts'

t.test('a unit of work', async (t) => {
  const { database, psql, env } = await openTestDatabase(t)
  const [{ company }] = await psql('select min(id) as company from companies') as [{ company: number }]
  const add = { text: 'insert into contracts (company_id, folio) values ($1, $2)', values: [company, 'UNIDAD'] }
  const look = { text: 'select count(*)::int as contracts from contracts where folio = $1', values: ['UNIDAD'] }

  await t.test('is rolled back on any failure', async (t) => {
    await t.rejects(inCompany(database, company, async ({ run }) => {
      await run(add)
      throw new Error('after a write')
    }), { message: 'after a write' })
    t.same(await psql(look.text, look.values), [{ contracts: 0 }])
  })

  await t.test('starts when it has the lock of its company', { skip: server === undefined && 'the embedded database has one connection' }, async (t) => {
    const holder = await openSession(t, env)
    await holder.query('begin')
    await holder.query('select lock_companies($1)', [[company]])
    await holder.query(add.text, add.values)

    const begun: string[] = []
    const unit = inCompany(database, company, async ({ run }) => {
      begun.push('unit')
      return await run(look)
    })
    const waiting = async () => await psql("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
    while (begun.length === 0 && (await waiting()).length === 0);
    t.same(begun, [])
    await holder.query('commit')
    t.same(await unit, [{ contracts: 1 }], 'it sees writes committed meanwhile')
  })
})
