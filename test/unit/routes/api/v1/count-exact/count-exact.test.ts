import fc from 'fast-check'
import t from 'tap'
import { registered } from '../../../../../../src/domain/resources.ts'
import { message } from '../../../../../../src/http/messages.ts'
import { build } from '../../../../../support/helper.ts'
import { invalid } from '../../../../../support/invalid.ts'
import { succeeded } from '../../../../../support/succeeded.ts'

interface Envelope {
  count: number
  count_exact?: boolean
  next: string | null
  previous: string | null
  results: Array<{ id: number }>
}

const { as, psql } = await build(t)
const [director, support] = [await as('director@demo.example'), await as('soporte@demo.example')]
const clientOf = (path: string) => path.startsWith('users/') ? support : director
const read = async (path: string): Promise<Envelope> => succeeded(await clientOf(path).get(path)) as Envelope
const relative = (link: string) => link.replace(/.*\/api\/v1\//, '')
const countOf = async (path: string) => {
  const { count, count_exact: isExact } = await read(path)
  return [count, isExact]
}

const lists: Record<string, { filters: string[], orderings: string[] }> = {
  contracts: {
    filters: ['', 'estado=vigente', 'moneda=MXN', 'parent=null', 'contraparte=null', 'monto_min=1000', 'updated_since=2020-01-01T00:00Z', 'search=de', 'search=torre', 'search=nada', 'folio=NADA'],
    orderings: ['id', '-id', 'folio', '-monto', 'contraparte']
  },
  contrapartes: { filters: ['', 'updated_since=2020-01-01T00:00Z', 'search=a', 'search=nada'], orderings: ['id', 'nombre', '-nombre'] },
  estimates: { filters: ['', 'estado=borrador', 'contraparte=null', 'pendiente_pago=true', 'search=a', 'search=nada'], orderings: ['id', '-neto', 'numero'] },
  users: { filters: ['', 'activo=true', 'nivel_acceso=null', 'customer=null', 'search=demo', 'search=nada'], orderings: ['id', '-email', 'nivel_acceso'] }
}

t.test('below the bound, each page has the same records and the same count as without the parameter', async (t) => {
  for (const [name, { filters, orderings }] of Object.entries(lists)) {
    const query = fc.record({
      filters: fc.uniqueArray(fc.constantFrom(...filters), { maxLength: 2, selector: filter => filter.split('=')[0] }),
      ordering: fc.constantFrom(...orderings),
      size: fc.constantFrom(1, 7, 50, 200),
      page: fc.constantFrom('1', '2', '3', 'last')
    })
    await fc.assert(fc.asyncProperty(query, async ({ filters, ordering, size, page }) => {
      const path = `${name}/?${[`ordering=${ordering}`, `page_size=${size}`, `page=${page}`, ...filters.filter(Boolean)].join('&')}`
      const [exact, bounded] = await Promise.all(['', '&count_exact=false'].map(async parameter => await clientOf(path).get(path + parameter)))
      t.equal(bounded?.statusCode, exact?.statusCode, path)
      if (exact?.statusCode === 200) {
        const { count_exact: isExact, next, previous, ...page } = bounded?.json() as Envelope
        const without = (link: string | null) => link?.replace(/[?&]count_exact=false(?=&|$)/, '').replace(/\/&/, '/?') ?? null
        t.strictSame({ ...page, next: without(next), previous: without(previous) }, exact.json(), path)
        t.equal(isExact, true, path)
      }
      return t.passing()
    }), { numRuns: 40, endOnFailure: true })
  }
})

t.test('only answers to `count_exact=false` have the field', async (t) => {
  const fields = ['count', 'next', 'previous', 'results']
  const accounts = ['customers', 'companies', 'users', 'memberships']
  for (const name of [...registered.map(({ name }) => name), 'webhooks', ...accounts]) {
    const answer = await (accounts.includes(name) ? support : director).get(`${name}/?count_exact=false`)
    t.strictSame(Object.keys(succeeded(answer)), [...fields, 'count_exact'], name)
  }
  for (const query of ['', 'estado=vigente', 'estado=vigente&count_exact=true', 'count_exact=1', 'search=torre&count_exact=True']) {
    t.strictSame(Object.keys(await read(`contracts/?${query}`)), fields, query)
  }
  t.strictSame(Object.keys(await read('contracts/?estado=vigente&count_exact=0&fields=id')), [...fields, 'count_exact'])
  t.strictSame(Object.keys(await read('contracts/?estado=vigente&count_exact=false&totals=true')), [...fields, 'totals', 'count_exact'])
})

t.test('other values and single records get 400, and CSV ignores the parameter', async (t) => {
  t.strictSame((await director.get('contracts/?count_exact=nunca')).json(), invalid({ count_exact: [message('en', 'notBoolean', { input: 'nunca' })] }))
  for (const path of ['contracts/1/', 'changes/', 'history/']) {
    t.strictSame((await director.get(`${path}?count_exact=false`)).json(), invalid({ count_exact: [message('en', 'unknownParameter')] }), path)
  }
  const csv = async (query: string) => (await director.get(`contracts/?format=csv&search=de${query}`)).body
  t.equal(await csv('&count_exact=false'), await csv(''))
})

t.test('a count stops at 10,000 records', async (t) => {
  await psql(`
    insert into contracts (company_id, folio, descripcion, moneda, monto)
    select id, 'LIM-' || n, 'Límite', 'EUR', n % 100 from companies, generate_series(1, 10000) n where nombre = 'Obra Norte'`)
  const filters = ['moneda=EUR', 'search=limite', 'search=limite&moneda=EUR', 'updated_since=2020-01-01T00:00Z&moneda=EUR']
  const counts = async () => await Promise.all(filters.map(async filter => await countOf(`contracts/?count_exact=false&${filter}`)))
  t.strictSame(await counts(), filters.map(() => [10_000, true]))
  const { id } = succeeded(await director.post('contracts/', { folio: 'LIM-10001', descripcion: 'Límite', moneda: 'EUR' }))
  t.strictSame(await counts(), filters.map(() => [10_000, false]))
  t.strictSame(await countOf('contracts/?search=limite'), [10_001, undefined])

  await t.test('pages near the start and after a cursor have a bounded count, others have an exact one', async (t) => {
    for (const [query, count] of [
      ['page=5&page_size=200', [10_000, false]],
      ['page=1000&page_size=1', [10_000, false]],
      ['page=6&page_size=200', [10_001, true]],
      ['page=501', [10_001, true]],
      ['page=last', [10_001, true]],
      ['totals=true', [10_001, true]],
      ['folio=LIM-1', [1, true]],
      ['folio=NADA', [0, true]]
    ] as const) {
      t.strictSame(await countOf(`contracts/?count_exact=false&moneda=EUR&${query}`), count, query)
    }
    t.equal((await director.get('contracts/?count_exact=false&moneda=EUR&page=502')).statusCode, 404)
    t.equal((await director.get('contracts/?count_exact=false&moneda=USD&search=nada&page=2')).statusCode, 404)
    const { count } = await read('contracts/')
    t.ok(count > 10_001)
    t.strictSame(await countOf('contracts/?count_exact=false'), [count, true], 'triggers keep the count of the whole list')
  })

  await t.test('a search that finds much has the same pages as a filter that finds the same', async (t) => {
    for (const ordering of ['id', 'folio', '-monto', 'contraparte']) {
      for (const page of ['page=2', 'page=5&page_size=200', 'page=1000&page_size=1', 'page=6&page_size=200']) {
        const [found, filtered] = await Promise.all(['search=limite', 'moneda=EUR'].map(async (query) => {
          const { results } = await read(`contracts/?count_exact=false&${query}&ordering=${ordering}&${page}`)
          return results.map(({ id }) => id)
        }))
        t.ok(found !== undefined && found.length > 0)
        t.strictSame(found, filtered, `${ordering} ${page}`)
      }
    }
  })

  await t.test('`next` leads once to each record', async (t) => {
    for (const query of ['moneda=EUR&ordering=-monto', 'search=limite']) {
      const seen: number[] = []
      let pages = 0
      for (let link: string | null = `contracts/?count_exact=false&page_size=200&${query}`; link !== null; pages++) {
        const { count, count_exact: isExact, next, previous, results } = await read(relative(link))
        seen.push(...results.map(({ id }) => id))
        if (count !== 10_000 || isExact !== false) t.fail(`${link}: ${count}`)
        if (pages > 0 && previous?.includes('count_exact=false') !== true) t.fail(`${link}: ${previous}`)
        link = next
      }
      t.strictSame([pages, seen.length, new Set(seen).size], [51, 10_001, 10_001], query)
    }
  })

  t.equal((await director.send('DELETE', `contracts/${id}/`)).statusCode, 204)
  t.strictSame(await counts(), filters.map(() => [10_000, true]))
})

t.test('also that of accounts, which no trigger counts', async (t) => {
  await psql("insert into users (email, password, nombre, activo) select 'lim' || n || '@demo.example', '', 'Límite', false from generate_series(1, 10001) n")
  t.strictSame(await countOf('users/?count_exact=false'), [10_000, false])
  t.strictSame(await countOf('users/?count_exact=false&search=limite'), [10_000, false])
  t.strictSame(await countOf('users/?count_exact=false&activo=false&page=last'), [10_001, true])
  const seen = new Set<number>()
  for (let link: string | null = 'users/?count_exact=false&search=limite&page_size=200&ordering=-email'; link !== null;) {
    const { next, results } = await read(relative(link))
    for (const { id } of results) seen.add(id)
    link = next
  }
  t.equal(seen.size, 10_001)
})
