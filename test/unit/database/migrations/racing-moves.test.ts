import t from 'tap'
import { build } from '../../../support/helper.ts'
import { server } from '../../../support/template.ts'
import { lockWait, openSession } from '../../../support/session.ts'

const circles = `
  with recursive above (start, id, parent_id, depth) as (
    select id, id, parent_id, 0 from contracts
    union all
    select above.start, c.id, c.parent_id, depth + 1 from above join contracts c on c.id = above.parent_id where depth < 200)
  select distinct start from above where depth > 0 and start = id`

t.test('concurrent moves', { skip: server === undefined && 'the embedded database has one session' }, async (t) => {
  const { as, psql, env } = await build(t)
  const director = await as('director@demo.example')
  const { company } = (await director.get('me/')).json()
  const add = async (folio: string) => (await director.post('contracts/', { folio })).json().id as number

  for (const isolation of ['read committed', 'repeatable read', 'serializable']) {
    await t.test(`on two connections never form a cycle (${isolation})`, async (t) => {
      const [a, b] = [await add(`${isolation} a`), await add(`${isolation} b`)]
      const [first, second] = [await openSession(t, env), await openSession(t, env)]
      for (const client of [first, second]) {
        await client.query(`begin isolation level ${isolation}`)
        await client.query('select count(*) from contracts')
      }
      const move = 'update contracts set parent_id = $1 where id = $2'
      await first.query(move, [a, b])
      const late = second.query(move, [b, a]).then(() => 'moved', (error: { code: string }) => error.code)
      // The second waits until the first has committed, and only then checks.
      await lockWait(psql)
      await first.query('commit')
      t.match(await late, isolation === 'read committed' ? '23514' : /^(40001|23514)$/)
      await second.query('rollback')
      t.same(await psql(circles), [])
    })
  }

  await t.test('of psql and the API in a chain never form a cycle', async (t) => {
    const [a, b, c] = [await add('P-a'), await add('P-b'), await add('P-c')]
    const client = await openSession(t, env)
    await client.query('begin')
    await client.query('update contracts set parent_id = $1 where id = $2', [a, b])
    const answers = [director.send('PATCH', `contracts/${c}/`, { parent: b }), director.send('PATCH', `contracts/${a}/`, { parent: c })]
    await lockWait(psql)
    await client.query('commit')
    t.same((await Promise.all(answers)).map(({ statusCode }) => statusCode).sort(), [200, 400])
    t.same(await psql(circles), [])
    t.equal((await psql('select from contracts where company_id = $1 and id = any ($2) and parent_id is not null', [company, [a, b, c]])).length, 2)
  })
})
