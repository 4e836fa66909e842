import t from 'tap'
import { build } from '../../../../../support/helper.ts'

const { as, psql } = await build(t)
const support = await as('soporte@demo.example')
await psql("insert into customers (nombre) select 'Cliente ' || n from generate_series(1, 45) n")
await psql("insert into customers (nombre) values ('Ávila Hermanos')")
const names = async (query: string): Promise<string[]> => (await support.get(`customers/?${query}`)).json().results.map((one: { nombre: string }) => one.nombre)

t.test('pages, forwards by cursor and by number', async (t) => {
  const first = (await support.get('customers/')).json()
  t.match(first, { count: 48, previous: null })
  t.equal(first.results.length, 20)
  const seen: number[] = first.results.map(({ id }: { id: number }) => id)
  for (let next: string | null = first.next; next !== null;) {
    const page: { next: string | null, results: Array<{ id: number }> } = (await support.get(next.replace('http://localhost:80/api/v1/', ''))).json()
    seen.push(...page.results.map(({ id }) => id))
    next = page.next
  }
  t.strictSame(seen, (await psql('select id from customers order by id')).map(({ id }) => id))
  const last = (await support.get('customers/?page=last&page_size=10')).json()
  t.match(last, { count: 48, next: null, previous: 'http://localhost:80/api/v1/customers/?page=4&page_size=10' })
  t.equal(last.results.length, 8)
  t.equal((await support.get('customers/?page=4')).statusCode, 404)
  t.strictSame((await support.get('customers/?page=0')).json(), { detail: 'Invalid page.', code: 'not_found' })
})

t.test('ordering, search, fields, updated_since', async (t) => {
  t.strictSame(await names('ordering=-nombre,id&search=cliente 4'), ['Cliente 45', 'Cliente 44', 'Cliente 43', 'Cliente 42', 'Cliente 41', 'Cliente 40', 'Cliente 4', 'Cliente 34', 'Cliente 24', 'Cliente 14'])
  t.strictSame(await names('search=AVILA hermanos'), ['Ávila Hermanos'])
  t.strictSame((await support.get('customers/?fields=nombre,id&search=ávila')).json().results.map((one: object) => Object.keys(one)), [['id', 'nombre']])
  const [{ now }] = await psql("select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') as now") as [{ now: string }]
  t.strictSame(await names(`updated_since=${now}`), [])
  await psql("update customers set nombre = 'Tocado' where nombre = 'Cliente 7'")
  t.strictSame(await names(`updated_since=${now}`), ['Tocado'])
})

t.test('an invalid or unknown parameter is reported under its name', async (t) => {
  const response = await support.get('customers/?page_size=0&ordering=color&updated_since=ayer&foo=1&fields=password&customer=1')
  t.equal(response.statusCode, 400)
  t.strictSame(Object.keys(response.json().errors).sort(), ['customer', 'fields', 'foo', 'ordering', 'page_size', 'updated_since'])
})
