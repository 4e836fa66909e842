import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { buildOn, logIn, openTestDatabase } from '../../support/helper.ts'
import { indexCompany } from '../../support/search-index.ts'

const company = 1

t.test('a server adds the changes of a company to the search index, in batches', async (t) => {
  const { database, psql } = await openTestDatabase(t)
  await psql("insert into contrapartes (company_id, nombre) select $1, 'Masiva ' || n from generate_series(1, 450) n", [company])
  const app = await buildOn(t, database)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const missing = async () => (await psql('select count(*)::int as n from contrapartes c where company_id = $1 and not exists (select from search.contrapartes s where s.company_id = c.company_id and s.id = c.id)', [company]))[0]?.['n'] as number
  for (let wait = 0; wait < 500 && await missing() > 0; wait++) await sleep(50)
  t.equal(await missing(), 0)

  const director = await logIn(app, 'director@demo.example')
  t.equal((await director.get('contrapartes/?search=masiva')).json().count, 450)
  t.strictSame((await director.get('contrapartes/?search=masiva+345')).json().results.map((one: { nombre: string }) => one.nombre), ['Masiva 345'])
})

t.test('a search finds every write that was answered before it, while the index changes', async (t) => {
  const { database, psql } = await openTestDatabase(t)
  const app = await buildOn(t, database)
  const director = await logIn(app, 'director@demo.example')
  const end = new AbortController()
  const indexing = (async () => {
    while (!end.signal.aborted) {
      await indexCompany(psql, company, 3, 1)
      await sleep(1)
    }
  })()

  const write = async (writer: number) => {
    for (let round = 1; round <= 15; round++) {
      const [first, second] = [`uno${writer}r${round}x`, `dos${writer}r${round}x`]
      const found = async (term: string) => (await director.get(`contracts/?search=${term}`)).json().results.map((one: { id: number }) => one.id)
      const { id, contraparte_id: party } = (await director.post('contracts/', { folio: first, contraparte: (await director.post('contrapartes/', { nombre: `Parte ${first}p` })).json().id })).json()
      t.strictSame([await found(first), await found(`${first}p`)], [[id], [id]], `created ${first}`)
      await director.send('PATCH', `contracts/${id}/`, { folio: second })
      await director.send('PATCH', `contrapartes/${party}/`, { nombre: `Parte ${second}p` })
      t.strictSame([await found(first), await found(second), await found(`${first}p`), await found(`${second}p`)], [[], [id], [], [id]], `changed ${second}`)
      await director.send('DELETE', `contracts/${id}/`)
      t.strictSame(await found(second), [], `deleted ${second}`)
    }
  }
  try {
    await Promise.all([1, 2, 3].map(write))
  } finally {
    end.abort()
    await indexing
  }
})

t.test('a batch that fails or is cancelled is reported, and the next call goes on', async (t) => {
  const { psql } = await openTestDatabase(t)
  await psql('create function fail_batch() returns trigger language plpgsql as $$ begin raise exception \'cancelled\' using errcode = current_setting(\'test.errcode\'); end $$')
  await psql('create trigger fail_batch before insert on search.contrapartes for each row execute function fail_batch()')
  const call = async (errcode: string) => await psql(`select i.* from (select set_config('test.errcode', '${errcode}', false) offset 0) c, search.index_changes(0, 0, 100) i`)
  for (const errcode of ['57014', '23514']) t.match(await call(errcode), [{ after: company, indexed: false, problem: 'cancelled' }], errcode)
  await psql('drop trigger fail_batch on search.contrapartes')
  t.match(await call(''), [{ after: company, indexed: true, problem: null }])
})
