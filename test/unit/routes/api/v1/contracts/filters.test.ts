import t from 'tap'
import { build } from '../../../../../support/helper.ts'

interface Item { id: number, folio: string, parent: number | null, contraparte: string, contraparte_id: number, monto: string, updated_at: string }

t.test('filters', async (t) => {
  const { as, psql } = await build(t)
  const director = await as('director@demo.example')
  const find = async (query: string): Promise<Item[]> => (await director.get(`contracts/?page_size=200&${query}`)).json().results
  const all = await find('')
  const folios = (items: Item[]) => items.map(({ folio }) => folio)
  const same = (t: Tap, found: Item[], where: (item: Item) => boolean, name: string) => {
    const expected = all.filter(where)
    t.ok(expected.length < all.length, `${name} excludes some`)
    t.strictSame(folios(found), folios(expected), name)
  }
  await psql("update contracts set estado = 'suspendido', moneda = 'USD', external_id = 'ñandú 7' where company_id = 1 and id % 7 = 3 and id < 10")

  t.test('match exactly', async (t) => {
    same(t, await find('folio=ON-2026-001-A1'), ({ folio }) => folio === 'ON-2026-001-A1', 'folio')
    t.strictSame(await find('folio=on-2026-001-a1'), [], 'case-sensitive')
    t.strictSame(await find('folio=ON-2026-00%25'), [], 'no wildcards')
    same(t, await find('folio=%20ON-2026-001-A1%20'), ({ folio }) => folio === 'ON-2026-001-A1', 'folio, trimmed as it is kept')
    same(t, await find('parent=1'), ({ parent }) => parent === 1, 'parent')
    same(t, await find('parent=null'), ({ parent }) => parent === null, 'parent=null')
    same(t, await find('contraparte=3'), item => item.contraparte_id === 3, 'contraparte by id')
    const name = all.find(item => item.contraparte_id === 3)?.contraparte as string
    same(t, await find(`contraparte=${encodeURIComponent(name)}`), item => item.contraparte_id === 3, 'contraparte by name')
    same(t, await find(`contraparte=${encodeURIComponent(name.normalize('NFD'))}`), item => item.contraparte_id === 3, 'contraparte by name in NFD')
    same(t, await find('estado=suspendido'), ({ id }) => id === 3, 'estado')
    same(t, await find('moneda=USD'), ({ id }) => id === 3, 'moneda')
    same(t, await find(`external_id=${encodeURIComponent('ñandú 7')}`), ({ id }) => id === 3, 'external_id')
    t.strictSame(await find('estado=terminado'), [])
  })

  t.test('by reference find nothing for another company\'s record', async (t) => {
    const [foreign] = await psql('select id from contracts where company_id = 3') as [{ id: number }]
    const [party] = await psql('select id from contrapartes where company_id = 3') as [{ id: number }]
    for (const query of [`parent=${foreign.id}`, 'parent=0', 'parent=2147483648', 'parent=9007199254740991', 'parent=99999999999999999999', `contraparte=${party.id}`, 'contraparte=0', 'contraparte=nadie', 'contraparte=null']) {
      const response = await director.get(`contracts/?${query}`)
      t.equal(response.statusCode, 200, query)
      t.strictSame(response.json(), { count: 0, next: null, previous: null, results: [] }, query)
    }
    await psql('update contracts set contraparte_id = null where id = 4')
    t.strictSame((await find('contraparte=null')).map(({ id }) => id), [4])
    await psql('update contracts set contraparte_id = 3 where id = 4')
  })

  t.test('by counterparty find names of digits and `null` by contraparte_nombre, and digits that cannot be ids by contraparte', async (t) => {
    const names = ['null', '0', '3', '9007199254740993', '123456789012345678901234567890', 'NULL']
    const made: Record<string, number> = {}
    for (const [index, nombre] of names.entries()) {
      const { id } = (await director.post('contrapartes/', { nombre })).json()
      const contract = await director.post('contracts/', { folio: `NOMBRE-${index}`, contraparte: nombre })
      t.match(contract.json(), { contraparte: nombre, contraparte_id: id }, 'a string in a body is a name')
      made[nombre] = contract.json().id
    }
    const ids = async (query: string) => (await find(query)).map(({ id }) => id)
    for (const name of ['0', '9007199254740993', '123456789012345678901234567890', 'NULL']) t.strictSame(await ids(`contraparte=${name}`), [made[name]], name)
    for (const name of names) t.strictSame(await ids(`contraparte_nombre=${name}`), [made[name]], `contraparte_nombre=${name}`)
    t.strictSame(await ids('contraparte=null'), [], 'contracts without a counterparty')
    t.ok((await find('contraparte=3')).every(item => item.contraparte_id === 3 && item.id !== made['3']), 'an id takes precedence over a name')
    t.strictSame(await ids('contraparte_nombre=3&contraparte=3'), [], 'both apply')
    t.strictSame(await ids('contraparte_nombre=nadie'), [])
    await psql('delete from contracts where id = any ($1)', [Object.values(made)])
    await psql('delete from contrapartes where company_id = 1 and nombre = any ($1)', [names])
  })

  t.test('of monto include both limits, to the cent', async (t) => {
    const { monto } = all[10]
    const cents = (amount: string) => BigInt(amount.replace('.', ''))
    const shifted = (by: bigint) => (cents(monto) + by).toString().replace(/(..)$/, '.$1')
    same(t, await find(`monto_min=${monto}&monto_max=${monto}`), item => item.monto === monto, 'both ends')
    same(t, await find(`monto_min=${shifted(1n)}`), item => cents(item.monto) > cents(monto), 'a cent more')
    same(t, await find(`monto_max=${shifted(-1n)}`), item => cents(item.monto) < cents(monto), 'a cent less')
    t.strictSame(await find(`monto_min=${shifted(1n)}&monto_max=${shifted(-1n)}`), [], 'minimum above maximum')
    t.equal((await find('monto_min=0&monto_max=9999999999999999.99')).length, 60)
  })

  t.test('by updated_since include the given time, in any zone', async (t) => {
    const { updated_at: at, id } = (await director.send('PATCH', 'contracts/20/', { descripcion: 'nuevo' })).json()
    t.strictSame((await find(`updated_since=${at}`)).map(item => item.id), [id])
    const date = new Date(at)
    const offset = new Date(date.getTime() + 1000 - 6 * 3_600_000).toISOString().replace('Z', '-06:00')
    t.strictSame(await find(`updated_since=${offset}`), [], 'a second later, in another zone')
    t.equal((await find('updated_since=0001-01-01T00:00:00Z')).length, 60)
    t.strictSame(await find('updated_since=9999-12-31T23:59:59.999999Z'), [])
    const micro = at.replace(/(\d)Z$/, (_: string, digit: string) => `${Number(digit) - 1}Z`)
    if (!micro.includes('-1Z')) t.ok((await find(`updated_since=${micro}`)).some(item => item.id === id), 'a microsecond earlier')
  })

  t.test('apply together, with search and ordering', async (t) => {
    const found = await find('parent=1&estado=vigente&monto_min=1&monto_max=999999999&moneda=MXN&search=on-2026&ordering=-folio')
    same(t, found.toReversed(), ({ parent, id }) => parent === 1 && id !== 3, 'together')
    t.equal((await director.get('contracts/?parent=1&estado=vigente&page_size=1')).json().count, all.filter(({ parent, id }) => parent === 1 && id !== 3).length, 'the count applies them too')
  })
})

type Tap = Pick<typeof t, 'ok' | 'strictSame'>
