import pg from 'pg'
import t from 'tap'
import { build } from '../../../support/helper.ts'
import { server } from '../../../support/template.ts'
import { superuserOptions } from '../../../../src/trial/superuser.ts'

const circles = `
  with recursive above (start, id, parent_id, depth) as (
    select id, id, parent_id, 0 from contracts
    union all
    select above.start, c.id, c.parent_id, depth + 1 from above join contracts c on c.id = above.parent_id where depth < 200)
  select distinct start from above where depth > 0 and start = id`

t.test('concurrent moves', async (t) => {
  const { as, psql, env } = await build(t)
  const director = await as('director@demo.example')
  const { company } = (await director.get('me/')).json()
  const add = async (folio: string) => (await director.post('contracts/', { folio })).json().id as number

  await t.test('over the API never form a cycle: one of each pair is refused', async (t) => {
    const ids = await Promise.all(Array.from({ length: 8 }, async (_, n) => await add(`M-${n}`)))
    for (let round = 0; round < 3; round++) {
      const moves = ids.flatMap((id, n) => [1, 3].map(step => ({ id, parent: ids[(n + step) % ids.length] })))
      const answers = await Promise.all(moves.map(async ({ id, parent }) => await director.send('PATCH', `contracts/${id}/`, { parent })))
      t.ok(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 400))
      t.ok(answers.some(({ statusCode }) => statusCode === 400), 'a cycle was attempted')
      for (const answer of answers.filter(({ statusCode }) => statusCode === 400)) t.same(Object.keys(answer.json().errors), ['parent'])
      t.same(await psql(circles), [])
    }
  })

  if (server === undefined) return

  for (const isolation of ['read committed', 'repeatable read', 'serializable']) {
    await t.test(`on two connections never form a cycle (${isolation})`, async (t) => {
      const [a, b] = [await add(`${isolation} a`), await add(`${isolation} b`)]
      const [first, second] = [0, 1].map(() => new pg.Client({ connectionString: env['DATABASE_URL'], options: superuserOptions })) as [pg.Client, pg.Client]
      for (const client of [first, second]) {
        await client.connect()
        await client.query(`begin isolation level ${isolation}`)
        await client.query('select count(*) from contracts')
      }
      const move = 'update contracts set parent_id = $1 where id = $2'
      await first.query(move, [a, b])
      const late = second.query(move, [b, a]).then(() => 'moved', (error: { code: string }) => error.code)
      // The second waits until the first has committed, and only then checks.
      const waiting = async () => (await psql("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).length
      while (await waiting() < 1) await new Promise(resolve => setImmediate(resolve))
      await first.query('commit')
      t.match(await late, isolation === 'read committed' ? '23514' : /^(40001|23514)$/)
      await second.query('rollback')
      for (const client of [first, second]) await client.end()
      t.same(await psql(circles), [])
    })
  }

  await t.test('of psql and the API in a chain never form a cycle', async (t) => {
    const [a, b, c] = [await add('P-a'), await add('P-b'), await add('P-c')]
    const client = new pg.Client({ connectionString: env['DATABASE_URL'], options: superuserOptions })
    await client.connect()
    await client.query('begin')
    await client.query('update contracts set parent_id = $1 where id = $2', [a, b])
    const answers = [director.send('PATCH', `contracts/${c}/`, { parent: b }), director.send('PATCH', `contracts/${a}/`, { parent: c })]
    const waiting = async () => (await psql("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).length
    while (await waiting() < 1) await new Promise(resolve => setImmediate(resolve))
    await client.query('commit')
    await client.end()
    t.same((await Promise.all(answers)).map(({ statusCode }) => statusCode).sort(), [200, 400])
    t.same(await psql(circles), [])
    t.equal((await psql('select from contracts where company_id = $1 and id = any ($2) and parent_id is not null', [company, [a, b, c]])).length, 2)
  })
})
