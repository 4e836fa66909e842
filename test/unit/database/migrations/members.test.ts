import t from 'tap'
import { demoIds } from '../../../support/accounts.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { lockWait, openSession } from '../../../support/session.ts'
import { server } from '../../../support/template.ts'

const across = { code: '23514', constraint: 'memberships_customer' }

t.test('a member belongs to the company\'s customer or to no customer', async (t) => {
  const fresh = await openTestDatabase(t)
  const { psql, database: { sql } } = fresh
  const { customers, companies, users } = await demoIds(fresh)
  const [own, other] = [customers['Constructora Demo'], customers['Grupo Otra']]
  const [sur, uno] = [companies['Obra Sur'], companies['Otra Uno']]
  const [auxiliar, soporte] = [users['auxiliar@demo.example'], users['soporte@demo.example']]
  const insert = 'insert into memberships (user_id, company_id, nivel_acceso) values ($1, $2, 1)'
  const as = { superuser: psql, service: async (text: string, values: unknown[] = []) => await sql.query({ text, values }) }

  for (const [name, run] of Object.entries(as)) {
    await t.test(`for the ${name}`, async (t) => {
      await t.rejects(run(insert, [auxiliar, uno]), across)
      await t.rejects(run('insert into memberships (user_id, company_id, nivel_acceso) select id, $1, 1 from users', [sur]), { code: /^(23514|23505)$/ }, 'one of many rows')
      await run(insert, [auxiliar, sur])
      await t.rejects(run('update memberships set company_id = $1 where user_id = $2 and company_id = $3', [uno, auxiliar, sur]), across)
      await t.rejects(run('update memberships set user_id = $1 where user_id = $2 and company_id = $3', [users['director@otra.example'], auxiliar, sur]), across)
      await t.rejects(run('update users set customer_id = $1 where id = $2', [other, auxiliar]), across)
      await t.rejects(run('update companies set customer_id = $1 where id = $2', [other, sur]), across)
      await run(insert, [soporte, uno])
      await t.rejects(run('update users set customer_id = $1 where id = $2', [own, soporte]), across)
      await run('update users set customer_id = $1 where id = $2', [other, soporte])
      await run('update users set customer_id = null where id = $1', [soporte])
      await run('update memberships set nivel_acceso = 2 where user_id = $1', [auxiliar])
      await psql('delete from memberships where user_id = $1 or (user_id = $2 and company_id = $3)', [soporte, auxiliar, sur])
    })
  }

  await t.test('members that broke the rule before the migration stay until they are changed', async (t) => {
    await psql('alter table memberships disable trigger user')
    await psql(insert, [auxiliar, uno])
    await psql('alter table memberships enable trigger user')
    await psql('update memberships set nivel_acceso = 2 where user_id = $1', [auxiliar])
    await psql("update users set nombre = 'Ana' where id = $1", [auxiliar])
    await psql('delete from memberships where user_id = $1 and company_id = $2', [auxiliar, uno])
  })

  if (server === undefined) return

  /** Runs two concurrent transactions; the second waits for the first. @returns the outcome of the second */
  async function race (first: [string, unknown[]], second: [string, unknown[]]): Promise<{ code?: string, constraint?: string } | undefined> {
    const [one, two] = [await openSession(t, fresh.env), await openSession(t, fresh.env)]
    await one.query('begin')
    await two.query('begin')
    await one.query(...first)
    const late = two.query(...second).then(() => undefined, (error: { code?: string }) => error)
    await lockWait(psql)
    await one.query('commit')
    const error = await late
    await two.query(error === undefined ? 'commit' : 'rollback')
    return error
  }

  await t.test('concurrent transactions cannot break the rule', async (t) => {
    const add: [string, unknown[]] = [insert, [soporte, sur]]
    const bind = (customer: number | null): [string, unknown[]] => ['update users set customer_id = $1 where id = $2', [customer, soporte]]
    const move = (customer: number): [string, unknown[]] => ['update companies set customer_id = $1 where id = $2', [customer, sur]]
    const clear = async () => {
      await psql('delete from memberships where user_id = $1', [soporte])
      await psql(...bind(null))
    }
    await psql('delete from memberships where company_id = $1', [sur])

    t.match(await race(add, bind(other)), across, 'a new member gets another customer')
    await clear()
    t.match(await race(bind(other), add), across, 'a user with another customer becomes a member')
    await clear()
    await psql(...bind(own))
    t.match(await race(add, move(other)), across, 'the company of a new member gets another customer')
    await clear()
    await psql(...bind(own))
    t.match(await race(move(other), add), across, 'a company with another customer gets a member')
    await psql(...move(own))
    await clear()
    await psql(...add)
    t.match(await race(bind(own), move(other)), across, 'user and company get different customers')
    t.same(await psql('select from memberships m join users u on u.id = m.user_id join companies c on c.id = m.company_id where u.customer_id <> c.customer_id'), [])
  })
})
