import t from 'tap'
import { build } from '../../../../../support/helper.ts'

const { as, psql } = await build(t)
const support = await as('soporte@demo.example')
const names = async (query: string): Promise<string[]> => (await support.get(`customers/?${query}`)).json().results.map((one: { nombre: string }) => one.nombre)

t.test('ordering, search, fields, updated_since', async (t) => {
  await psql("insert into customers (nombre) select 'Cliente ' || n from generate_series(1, 45) n union all select 'Ávila Hermanos'")
  t.strictSame(await names('ordering=-nombre,id&search=cliente 4'), ['Cliente 45', 'Cliente 44', 'Cliente 43', 'Cliente 42', 'Cliente 41', 'Cliente 40', 'Cliente 4', 'Cliente 34', 'Cliente 24', 'Cliente 14'])
  t.strictSame(await names('search=AVILA hermanos'), ['Ávila Hermanos'])
  t.strictSame((await support.get('customers/?fields=nombre,id&search=ávila')).json().results.map((one: object) => Object.keys(one)), [['id', 'nombre']])
  const [{ now }] = await psql("select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') as now") as [{ now: string }]
  t.strictSame(await names(`updated_since=${now}`), [])
  await psql("update customers set nombre = 'Tocado' where nombre = 'Cliente 7'")
  t.strictSame(await names(`updated_since=${now}`), ['Tocado'])
})
