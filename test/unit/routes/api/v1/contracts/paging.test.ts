import t from 'tap'
import { build } from '../../../../../support/helper.ts'

interface Item { id: number, folio: string }

t.test('pages of the list', async (t) => {
  const { as, app, psql } = await build(t)
  const other = await as('director@otra.example')
  const director = await as('director@demo.example')
  const headers = { authorization: `Bearer ${director.access}` }
  const folios = (await psql('select folio from contracts where company_id = 1 order by id')).map(row => row['folio'] as string)
  const page = async (query: string) => (await director.get(`contracts/?${query}`)).json()
  /** Path and query of a link, with its opaque cursor as `*`. */
  const shown = (link: string | null) => link === null ? null : link.replace(/^http:\/\/localhost(:80)?\/api\/v1\//, '').replace(/cursor=[\w-]+/, 'cursor=*')

  t.test('have the envelope of the specification', async (t) => {
    const body = await page('')
    t.strictSame(Object.keys(body), ['count', 'next', 'previous', 'results'])
    t.equal(body.count, 60)
    t.equal(body.results.length, 20)
    t.strictSame(body.results.map(({ folio }: Item) => folio), folios.slice(0, 20))
    t.strictSame(Object.keys(body.results[0]), ['id', 'company', 'folio', 'contraparte', 'contraparte_id', 'monto', 'parent', 'moneda', 'fecha_inicio', 'fecha_fin',
      'anticipo_porcentaje', 'retencion_porcentaje', 'iva_porcentaje', 'derechos_porcentaje', 'retencion_antes_iva', 'estado', 'external_id', 'created_at', 'updated_at', 'version'])
    const foreign = (await other.get('contracts/')).json()
    t.equal(foreign.count, 25)
    t.ok(foreign.results.every(({ folio }: Item) => folio.startsWith('OU-')), 'of another company')
  })

  t.test('are numbered up to the last', async (t) => {
    for (const [query, from, to] of [['page=1', 0, 20], ['page=2', 20, 40], ['page=3', 40, 60], ['page=last', 40, 60], ['page=9&page_size=7', 56, 60], ['page=last&page_size=7', 56, 60], ['page=60&page_size=1', 59, 60], ['page_size=200', 0, 60]] as const) {
      const body = await page(query)
      t.strictSame(body.results.map(({ folio }: Item) => folio), folios.slice(from, to), query)
      t.equal(body.count, 60)
    }
  })

  t.test('of an empty list are one empty page', async (t) => {
    for (const query of ['folio=NADA', 'folio=NADA&page=1', 'folio=NADA&page=last']) {
      const response = await director.get(`contracts/?${query}`)
      t.equal(response.statusCode, 200)
      t.strictSame(response.json(), { count: 0, next: null, previous: null, results: [] })
    }
    t.equal((await director.get('contracts/?folio=NADA&page=2')).statusCode, 404)
  })

  t.test('link to each other: other parameters are kept and sorted by name, page is omitted from links to page 1', async (t) => {
    const links = async (query: string) => {
      const { next, previous } = await page(query)
      return [shown(next), shown(previous)]
    }
    t.strictSame(await links(''), ['contracts/?cursor=*&page=2', null])
    t.strictSame(await links('page=2'), ['contracts/?cursor=*&page=3', 'contracts/'])
    t.strictSame(await links('page=3'), [null, 'contracts/?page=2'])
    t.strictSame(await links('page=last'), [null, 'contracts/?page=2'])
    t.strictSame(await links('page_size=60'), [null, null])
    t.strictSame(await links('page_size=10&page=2&ordering=-folio&estado=vigente'),
      ['contracts/?cursor=*&estado=vigente&ordering=-folio&page=3&page_size=10', 'contracts/?estado=vigente&ordering=-folio&page_size=10'])
    t.strictSame(await links('search=torre%20%20pilas&monto_min=0&page_size=1&page=1'), [null, null])
    t.strictSame(await links('search=torre%20losa+cimentaci%C3%B3n&monto_min=0&page_size=1&page=last'), [null, null])
    t.strictSame(await links('search=%C3%B3&page_size=5&fields=id,folio'), ['contracts/?cursor=*&fields=id%2Cfolio&page=2&page_size=5&search=%C3%B3', null])
  })

  t.test('keep parameters with a second question mark or unusual encoding', async (t) => {
    await psql("update contracts set descripcion = '¿qué? a&b=c+d #1 100%' where company_id = 1 and id <= 5")
    const query = `search=${encodeURIComponent('qué?')}&page_size=2`.replace('%3F', '?')
    const first = await page(query)
    t.equal(first.count, 5)
    t.equal(shown(first.next), 'contracts/?cursor=*&page=2&page_size=2&search=qu%C3%A9%3F')
    for (const word of ['a&b=c+d', '#1', '100%']) {
      const { count, next } = await page(`page_size=2&search=${encodeURIComponent(word)}`)
      t.equal(count, 5, word)
      const second = (await app.inject({ url: next, headers })).json()
      t.strictSame(second.results.map(({ id }: Item) => id), [3, 4])
      t.equal(shown(second.previous), `contracts/?page_size=2&search=${encodeURIComponent(word).replaceAll('%20', '+')}`)
    }
  })

  t.test('are followed by next and previous, in both directions', async (t) => {
    const seen: string[] = []
    const pages: string[][] = []
    let url: string | null = 'http://localhost/api/v1/contracts/?page_size=7'
    let last = ''
    while (url !== null) {
      const body = (await app.inject({ url, headers })).json() as { next: string | null, results: Item[] }
      pages.push(body.results.map(({ folio }) => folio))
      seen.push(...pages.at(-1) as string[])
      last = url
      url = body.next
    }
    t.strictSame(seen, folios)
    const back: string[][] = []
    for (let at: string | null = last; at !== null;) {
      const body = (await app.inject({ url: at, headers })).json() as { previous: string | null, results: Item[] }
      back.unshift(body.results.map(({ folio }) => folio))
      at = body.previous
    }
    t.strictSame(back, pages)
  })

  t.test('are the same without the trailing slash, and every link has it', async (t) => {
    const [slash, bare] = await Promise.all([director.get('contracts/?page=2'), director.get('contracts?page=2')])
    t.equal(bare.statusCode, 200)
    t.strictSame(bare.json(), slash.json())
    t.strictSame((await director.get('contracts/1')).json(), (await director.get('contracts/1/')).json())
    const created = await director.send('POST', 'contracts', { folio: 'SIN-BARRA' })
    t.match(created.headers.location, /\/api\/v1\/contracts\/\d+\/$/)
    t.equal((await director.send('PATCH', `contracts/${created.json().id}`, { monto: 1 })).statusCode, 200)
    t.equal((await director.send('DELETE', `contracts/${created.json().id}`)).statusCode, 204)
  })
})
