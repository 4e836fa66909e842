import t from 'tap'
import { build, type Client } from '../../../../../support/helper.ts'
import { refuses } from '../../../../../support/invalid.ts'
import { None } from '../../../../../support/none.ts'

interface Item { id: number, folio: string, monto: string }

const total = 2000

t.test('following next', async (t) => {
  const { as, app, psql } = await build(t)
  const director = await as('director@demo.example')
  const [{ id: company }] = await psql("select id from companies where nombre = 'Obra Sur'") as [{ id: number }]
  t.equal((await director.send('PATCH', 'me/', { company })).statusCode, 200)
  await psql(`
    insert into contracts (company_id, folio, monto, fecha_inicio)
    select $1, 'F' || lpad(n::text, 6, '0'), n * 7919 % 1000, case when n % 3 > 0 then date '2026-01-01' + n % 50 end from generate_series(1, ${total}) n`, [company])

  /** Follows `next` from the first page, and runs `between` concurrently with each request. */
  async function follow (client: Client, query: string, between: (page: number) => Promise<unknown>): Promise<Item[]> {
    const seen: Item[] = []
    let url: string | null = `/api/v1/contracts/?${query}`
    for (let page = 1; url !== null; page++) {
      const [response] = await Promise.all([app.inject({ url, headers: { authorization: `Bearer ${client.access}` } }), between(page)])
      const body: { next: string | null, results: Item[] } = response.json()
      seen.push(...body.results)
      url = body.next
    }
    return seen
  }

  for (const ordering of ['id', '-monto,folio', 'fecha_inicio,-monto']) {
    t.test(`by ${ordering} through ${total} records during writes neither skips nor repeats one`, async (t) => {
      const before = (await psql('select id from contracts where company_id = $1', [company])).map(row => row['id'] as number)
      const deleted = new Set<number>()
      let made = 0
      const seen = await follow(director, `page_size=80&ordering=${ordering}&fields=id,folio,monto`, async (page) => {
        // A record at the start, the middle and the end of every order is created; three are deleted, by the API and by psql.
        const tag = `${ordering}-${page}`
        const gone = [page * 83, page * 151, page * 199].map(index => before[index % before.length])
        for (const id of gone) deleted.add(id)
        const answers = await Promise.all([
          director.post('contracts/', { folio: `A ${tag}`, monto: '0.00' }),
          director.post('contracts/', { folio: `F001000 ${tag}`, monto: '500.00', fecha_inicio: '2026-01-25' }),
          director.post('contracts/', { folio: `Z ${tag}`, monto: '2000.00', fecha_inicio: '2020-01-01' }),
          director.send('DELETE', `contracts/${gone[0]}/`),
          psql('delete from contracts where id = any ($1)', [gone.slice(1)])
        ])
        made += answers.filter(answer => 'statusCode' in answer && answer.statusCode === 201).length
      })

      t.ok(made >= 60, `${made} records were created meanwhile`)
      const ids = seen.map(({ id }) => id)
      t.equal(new Set(ids).size, ids.length, 'none is repeated')
      const found = new Set(ids)
      t.strictSame(before.filter(id => !deleted.has(id) && !found.has(id)), [], 'none is skipped')
      await psql('delete from contracts where company_id = $1 and folio !~ $2', [company, '^F\\d{6}$'])
    })
  }

  t.test('continues after the last record of a page is deleted, and ends when all are', async (t) => {
    const first = (await director.get('contracts/?page_size=3&ordering=folio')).json()
    const rest = (await director.get('contracts/?page_size=200&ordering=folio&fields=id')).json().results.map(({ id }: Item) => id)
    await director.send('DELETE', `contracts/${first.results[2].id}/`)
    const headers = { authorization: `Bearer ${director.access}` }
    const second = (await app.inject({ url: first.next, headers })).json()
    t.strictSame(second.results.map(({ id }: Item) => id), rest.slice(3, 6))
    await psql('delete from contracts where company_id = $1', [company])
    const empty = await app.inject({ url: second.next, headers })
    t.equal(empty.statusCode, 200)
    t.match(empty.json(), { count: 0, next: null, results: None })
  })
})

t.test('an invalid cursor is 400', async (t) => {
  const { as, psql } = await build(t)
  const director = await as('director@demo.example')
  const encode = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const cursorOf = async (query: string) => new URL((await director.get(`contracts/?${query}`)).json().next).searchParams.get('cursor') as string
  const refused = async (cursor: string, ordering: string, list = 'contracts') => {
    refuses(t, await director.get(`${list}/?ordering=${ordering}&cursor=${encodeURIComponent(cursor)}`), { cursor: ['Invalid cursor'] }, `${ordering}: ${Buffer.from(cursor, 'base64url').toString()}`)
  }

  for (const cursor of ['', 'abc', '!', 'null', encode(null), encode({}), encode([]), encode(['id']), encode(['id', '1']), encode(['id', 1, 2]), encode(['id', 0]), encode(['id', -1]),
    encode(['id', 1.5]), encode(['id', 2 ** 53]), encode(['id', null]), encode(['id', [1]]), encode(['-id', 1]), encode('id,1'), `${await cursorOf('')}x`, (await cursorOf('')).slice(1)]) await refused(cursor, 'id')
  for (const key of [1, 'x', null, '-1.00', '1', '1.000', '1e2', 'NaN', '99999999999999999.00', '1.00\n', ['1.00']]) await refused(encode(['monto,id', key, 1]), 'monto')
  for (const key of [1, '2026-02-30', 'infinity', '', '2026-01-01T00:00:00Z']) await refused(encode(['fecha_inicio,id', key, 1]), 'fecha_inicio')
  for (const key of [null, 'now', '2026-01-01', 'infinity', '2026-01-01T25:00:00Z', 0]) await refused(encode(['updated_at,id', key, 1]), 'updated_at')
  for (const key of [null, 1, 'a\0', {}]) await refused(encode(['folio,id', key, 1]), 'folio')
  for (const key of [null, 0, 2 ** 31, '1']) await refused(encode(['numero,id', key, 1]), 'numero', 'estimates')
  await refused(await cursorOf('ordering=folio'), '-folio')
  await refused(await cursorOf(''), 'monto')

  t.test('a forged cursor is only a position in the order, within the caller\'s company', async (t) => {
    const response = await director.get(`contracts/?ordering=folio&cursor=${encode(['folio,id', "' or 1=1 --", 1])}`)
    t.equal(response.statusCode, 200)
    t.ok(response.json().results.every(({ folio }: Item) => folio.startsWith('ON-')))
    const foreign = (await (await as('director@otra.example')).get('contracts/?ordering=-folio&page_size=1')).json().next
    const { results } = (await director.get(`contracts/${new URL(foreign).search}`)).json()
    t.ok(results.length > 0 && results.every(({ folio }: Item) => folio.startsWith('ON-')))
  })

  t.test('a cursor with the longest possible keys works', async (t) => {
    await psql('insert into contrapartes (company_id, nombre) values (1, \'~\' || repeat($1, 199))', ['\u0001'])
    await psql('insert into contracts (company_id, folio, contraparte_id) select 1, \'~\' || n || repeat($1, 60), (select id from contrapartes where nombre like \'~%\') from generate_series(1, 2) n', ['\u0001'])
    const first = (await director.get('contracts/?page_size=1&search=~&ordering=contraparte,folio,monto,moneda,fecha_inicio,fecha_fin,estado,created_at,updated_at')).json()
    t.equal(first.count, 2)
    const second = await director.get(`contracts/${new URL(first.next).search}`)
    t.equal(second.statusCode, 200)
    t.equal(second.json().results.length, 1)
    t.not(second.json().results[0].id, first.results[0].id)
  })
})

t.test('a changed page or page_size in a link takes precedence over the cursor', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')
  const folios = async (query: string) => {
    const { results, previous } = (await director.get(`contracts/?${query}`)).json()
    return { folios: results.map(({ folio }: { folio: string }) => folio), previous }
  }
  const { next } = (await director.get('contracts/?page_size=5')).json()
  const cursor = new URL(next).searchParams.get('cursor') as string
  const plain = async (query: string) => (await folios(query)).folios

  t.same(await plain(`page_size=5&page=2&cursor=${cursor}`), await plain('page_size=5&page=2'))
  t.same(await plain(`page_size=5&cursor=${cursor}`), await plain('page_size=5&page=2'), 'without a page it is its own page')
  t.match((await folios(`page_size=5&cursor=${cursor}`)).previous, /\?page_size=5$/)
  for (const page of ['1', '3', '12', 'last']) t.same(await plain(`page_size=5&page=${page}&cursor=${cursor}`), await plain(`page_size=5&page=${page}`), page)
  t.same(await plain(`page_size=7&page=2&cursor=${cursor}`), await plain('page_size=7&page=2'))
  t.same(await plain(`page_size=7&cursor=${cursor}`), await plain('page_size=7'))
  t.equal((await director.get(`contracts/?page_size=5&page=13&cursor=${cursor}`)).statusCode, 404)
})
