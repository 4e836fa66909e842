import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { build } from '../../../support/helper.ts'
import { openSession } from '../../../support/session.ts'
import { server } from '../../../support/template.ts'

t.test('a write that has waited ten seconds for a lock is 503, and keeps no lock', { skip: server === undefined && 'the embedded database has one connection' }, async (t) => {
  const { as, psql, env, database } = await build(t)
  const [director, root] = [await as('director@demo.example'), await as('superusuario@demo.example')]
  const [{ id, company }] = (await director.get('contracts/?page_size=1')).json().results
  const holder = await openSession(t, env)
  await holder.query('begin')
  await holder.query('select pg_advisory_xact_lock(1633903476) from company_revisions where company_id = $1 for update', [company])
  const posted = async (folio: string, wait: number) => {
    await sleep(wait)
    return await director.post('contracts/', { folio })
  }
  const [second, last] = [posted('TARDE', 200), posted('A TIEMPO', 9000)]
  const answers = await Promise.all([
    director.post('contracts/', { folio: 'TARDE' }),
    director.post('contracts/', { folio: 'TARDE' }, { 'idempotency-key': 'tarde' }),
    director.post('contracts/bulk/', { items: [{ folio: 'TARDE' }] }),
    director.send('PATCH', `contracts/${id}/`, { descripcion: 'TARDE' }),
    root.post('customers/', { nombre: 'TARDE' })
  ])
  answers.push(await second)
  await holder.query('rollback')
  t.equal((await last).statusCode, 201, 'a later write waits for its own ten seconds')
  for (const answer of answers) {
    t.match([answer.statusCode, answer.headers['retry-after']], [503, '1'])
    t.strictSame(answer.json(), { detail: 'Other requests are writing the same data. Try again later.', code: 'unavailable' })
  }
  t.equal(database.pool?.totalCount, database.pool?.idleCount)
  t.equal((await psql("select from contracts where 'TARDE' in (folio, descripcion)")).length, 0)
  t.equal((await director.post('contracts/', { folio: 'TARDE' }, { 'idempotency-key': 'tarde' })).statusCode, 201)
})
