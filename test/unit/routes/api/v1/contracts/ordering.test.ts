import fc from 'fast-check'
import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { nameKey } from '../../../../../support/name-key.ts'

interface Made {
  folio: string
  contraparte: string | null
  monto: string
  moneda: string
  fecha_inicio: string | null
  fecha_fin: string | null
  estado: string
  created_at: string
  updated_at: string
}

const parties = ['alba', 'Álamo', 'alamo', 'ÁLAMO 2', 'Zapata', 'zapata', 'Ñandú', 'nandu', 'Œuvre', 'œuvre', '~']
const party = fc.option(fc.constantFrom(...parties))
const day = fc.option(fc.constantFrom('2026-01-01', '2026-01-02', '2026-12-31'))
const instant = fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z', '2026-01-01T00:00:01.5Z', '2026-01-01T00:00:01.500001Z', '2026-01-02T00:00:00Z')
const record = fc.record({
  contraparte: party,
  monto: fc.constantFrom('0.00', '2.00', '10.00', '9007199254740993.01', '9007199254740993.02', '9999999999999999.99'),
  moneda: fc.constantFrom('MXN', 'USD', 'EUR'),
  fecha_inicio: day,
  fecha_fin: day,
  estado: fc.constantFrom('vigente', 'suspendido', 'terminado', 'cancelado'),
  created_at: instant,
  updated_at: instant
})
const folio = fc.string({ unit: fc.constantFrom('a', 'B', 'Z', '1', '-', 'ñ', ' '), minLength: 1, maxLength: 4 }).map(text => `x${text}x`)
const records = fc.uniqueArray(fc.tuple(folio, record).map(([folio, rest]): Made => ({ folio, ...rest, fecha_fin: rest.fecha_inicio !== null && rest.fecha_fin !== null && rest.fecha_fin < rest.fecha_inicio ? null : rest.fecha_fin })),
  { selector: made => made.folio, maxLength: 25 })
const keys = ['folio', 'contraparte', 'monto', 'moneda', 'fecha_inicio', 'fecha_fin', 'estado', 'created_at', 'updated_at', 'id'] as const
const ordering = fc.uniqueArray(fc.tuple(fc.constantFrom(...keys), fc.boolean()), { selector: ([key]) => key, maxLength: 4 })

/** A value that JavaScript compares in the same order as the database; null is the largest. */
function comparable (key: typeof keys[number], made: Made & { id: number }): bigint | number | string {
  if (key === 'id') return made.id
  const value = made[key]
  if (value === null) return '\uffff'
  if (key === 'contraparte') return nameKey(value)
  if (key === 'monto') return BigInt(value.replace('.', ''))
  if (key === 'folio') return Buffer.from(value).toString('hex')
  return key.endsWith('_at') ? value.replace('Z', '').padEnd(19, '0').replace(/^(.{19})$/, '$1.').padEnd(26, '0') : value
}

t.test('the order of a list', async (t) => {
  const { as, app, psql } = await build(t)
  const director = await as('director@demo.example')
  const headers = { authorization: `Bearer ${director.access}` }
  const [{ id: company }] = await psql("select id from companies where nombre = 'Obra Sur'") as [{ id: number }]
  await director.send('PATCH', 'me/', { company })
  await psql('insert into contrapartes (company_id, nombre) select $1, unnest($2::text[])', [company, parties])

  async function fill (made: Made[]): Promise<Array<Made & { id: number }>> {
    await psql('delete from contracts where company_id = $1', [company])
    const rows = await psql(`
      insert into contracts (company_id, folio, contraparte_id, monto, moneda, fecha_inicio, fecha_fin, estado, created_at, updated_at)
      select $1, x.folio, p.id, monto, moneda, fecha_inicio, fecha_fin, estado, x.created_at, x.updated_at
      from jsonb_to_recordset($2::text::jsonb) as x (folio text, contraparte text, monto numeric, moneda text, fecha_inicio date, fecha_fin date, estado text, created_at timestamptz, updated_at timestamptz)
      left join contrapartes p on p.company_id = $1 and p.nombre = x.contraparte
      returning id, folio`, [company, JSON.stringify(made)])
    const ids = new Map(rows.map(row => [row['folio'] as string, row['id'] as number]))
    return made.map(one => ({ ...one, id: ids.get(one.folio) as number }))
  }

  async function follow (query: string): Promise<string[]> {
    const seen: string[] = []
    for (let url: string | null = `/api/v1/contracts/?${query}`; url !== null;) {
      const body: { next: string | null, results: Array<{ folio: string }> } = (await app.inject({ url, headers })).json()
      seen.push(...body.results.map(({ folio }) => folio))
      url = body.next
    }
    return seen
  }

  t.test('is the requested one, then by id, for any page size, by next and by number', async (t) => {
    await fc.assert(fc.asyncProperty(records, fc.array(fc.tuple(ordering, fc.integer({ min: 1, max: 8 })), { minLength: 1, maxLength: 4 }), async (made, lists) => {
      const filled = await fill(made)
      for (const [order, size] of lists) {
        const expected = filled.toSorted((a, b) => {
          for (const [key, descending] of [...order, ['id', false] as const]) {
            const [x, y] = [comparable(key, a), comparable(key, b)]
            if (x !== y) return (x < y) === descending ? 1 : -1
          }
          return 0
        }).map(({ folio }) => folio)
        const query = `page_size=${size}&ordering=${order.map(([key, descending]) => (descending ? '-' : '') + key).join(',')}`
        if (JSON.stringify(await follow(query)) !== JSON.stringify(expected)) throw new Error(`${query} by next`)
        const last = Math.max(1, Math.ceil(expected.length / size))
        const byNumber = (await app.inject({ url: `/api/v1/contracts/?${query}&page=${last}`, headers })).json().results
        if (JSON.stringify(byNumber.map((one: Made) => one.folio)) !== JSON.stringify(expected.slice((last - 1) * size))) throw new Error(`${query} by number`)
      }
    }), { numRuns: 20 })
    t.pass('20 sets of contracts')
  })

  t.test('is by id by default; spaces and empty items are ignored', async (t) => {
    await fill(['b', 'a', 'c'].map(folio => ({ folio, contraparte: null, monto: '1.00', moneda: 'MXN', fecha_inicio: null, fecha_fin: null, estado: 'vigente', created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' })))
    for (const [query, expected] of [['', 'b a c'], ['ordering=', 'b a c'], ['ordering=-id', 'c a b'], ['ordering=%20folio%20,', 'a b c'], ['ordering=monto,-folio', 'c b a'], ['ordering=folio&ordering=-id', 'a b c']] as const) {
      t.equal((await follow(`page_size=2&${query}`)).join(' '), expected, query)
    }
  })
})
