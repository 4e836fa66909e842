import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'

interface Item { id: number, numero: number, contract: number, contract_folio: string, estado: string, monto: string, neto: string, descripcion: string, periodo_inicio: string | null, periodo_fin: string | null }

t.test('lists of estimates', async (t) => {
  const { director, contract, estimate, change, psql } = await estimating(t)
  // A company without other estimates.
  const { companies } = (await director.get('me/')).json()
  await director.send('PATCH', 'me/', { company: companies.find(({ nombre }: { nombre: string }) => nombre === 'Obra Sur').id })
  const [pila, losa] = [await contract({ folio: 'Pilas-Ávila', monto: '100000' }), await contract({ folio: 'LOSA-1', monto: '100000' })]
  for (let n = 1; n <= 12; n++) {
    const month = String(n).padStart(2, '0')
    const state = ['borrador', 'enviada', 'autorizada', 'rechazada'][n % 4]
    const period = n === 12 ? {} : { periodo_inicio: `2026-${month}-01`, periodo_fin: `2026-${month}-20` }
    await estimate(n % 3 === 0 ? losa : pila, { descripcion: `Avance ${n} de cimentación`, monto: `${1000 - n}.00`, external_id: `ext ${n}`, ...period }, state)
  }
  const find = async (query: string): Promise<Item[]> => {
    const { count, results } = (await director.get(`estimates/?page_size=200&${query}`)).json()
    t.equal(count, results.length, `${query} has the right count`)
    return results
  }
  const all = await find('')

  await t.test('are filtered', async (t) => {
    const cases: Record<string, (item: Item) => boolean> = {
      [`contract=${pila}`]: item => item.contract === pila,
      [`contract=${losa}&estado=enviada`]: item => item.contract === losa && item.estado === 'enviada',
      'estado=rechazada': item => item.estado === 'rechazada',
      'periodo_desde=2026-05-01': item => item.periodo_inicio !== null && item.periodo_inicio >= '2026-05-01',
      'periodo_hasta=2026-05-20': item => item.periodo_fin !== null && item.periodo_fin <= '2026-05-20',
      'periodo_desde=2026-03-01&periodo_hasta=2026-04-20': item => ['2026-03-01', '2026-04-01'].includes(item.periodo_inicio as string),
      'external_id=ext%207': item => item.monto === '993.00',
      'search=AVANCE%207': item => item.monto === '993.00',
      'search=cimentacion%20avila': item => item.contract === pila,
      'search=losa-1%20avance': item => item.contract === losa
    }
    for (const [query, where] of Object.entries(cases)) {
      const expected = all.filter(where)
      t.ok(expected.length > 0 && expected.length < all.length, query)
      t.strictSame(await find(query), expected, query)
    }
    const [foreign] = await psql('select id from contracts where company_id = 3 limit 1') as [{ id: number }]
    for (const query of [`contract=${foreign.id}`, 'contract=0', 'contract=99999999999', 'estado=pagada', 'external_id=ext', 'search=nada', 'periodo_desde=2026-11-02']) t.same(await find(query), [], query)
  })

  await t.test('are filtered by the counterparty of their contract, in the forms of contracts', async (t) => {
    const parties: Record<string, number> = {}
    for (const nombre of ['Béjar y Cía', '12345678901234567890', 'null']) parties[nombre] = (await director.post('contrapartes/', { nombre })).json().id
    const other = parties['12345678901234567890']
    await director.send('PATCH', `contracts/${pila}/`, { contraparte: parties['Béjar y Cía'] })
    await director.send('PATCH', `contracts/${losa}/`, { contraparte: other })
    const ids = (items: Item[]) => items.map(({ id }) => id)
    const [ofPila, ofLosa] = [pila, losa].map(contract => ids(all.filter(item => item.contract === contract)))
    for (const query of [`contraparte=${parties['Béjar y Cía']}`, 'contraparte=B%C3%A9jar%20y%20C%C3%ADa', 'contraparte_nombre=B%C3%A9jar%20y%20C%C3%ADa']) t.strictSame(ids(await find(query)), ofPila, query)
    for (const query of [`contraparte=${other}`, 'contraparte=12345678901234567890', 'contraparte_nombre=12345678901234567890']) t.strictSame(ids(await find(query)), ofLosa, query)
    t.strictSame(ids(await find(`contraparte=${other}&estado=enviada&search=losa&ordering=-neto`)), ids(all.filter(item => item.contract === losa && item.estado === 'enviada')).reverse())
    const [foreign] = await psql('select id from contrapartes where company_id = 3 limit 1') as [{ id: number }]
    for (const query of [`contraparte=${foreign.id}`, 'contraparte=0', 'contraparte=b%C3%A9jar', 'contraparte=null', 'contraparte_nombre=null']) t.same(await find(query), [], query)
    await director.send('PATCH', `contracts/${losa}/`, { contraparte: null })
    t.strictSame(ids(await find('contraparte=null')), ofLosa)
  })

  await t.test('are sorted by the shown neto, of authorized estimates and of others', async (t) => {
    // A draft with another order by `neto` than by `monto`.
    await change(all[3].id, { deductivas: '900.00' })
    const shown = await find('')
    const cents = ({ neto }: Item) => BigInt(neto.replace('.', ''))
    const sorted = shown.toSorted((a, b) => cents(a) < cents(b) ? -1 : cents(a) > cents(b) ? 1 : a.id - b.id).map(({ id }) => id)
    t.not(sorted.join(), shown.map(({ id }) => id).join())
    for (const [ordering, expected] of [['neto', sorted], ['-neto', sorted.toReversed()]] as const) {
      const followed: number[] = []
      for (let next: string | null = `estimates/?page_size=5&ordering=${ordering}${ordering === 'neto' ? '' : ',-id'}`; next !== null;) {
        const { results, next: further }: { results: Item[], next: string | null } = (await director.get(next)).json()
        followed.push(...results.map(({ id }) => id))
        next = further === null ? null : further.split('/api/v1/')[1] as string
      }
      t.strictSame(followed, expected, ordering)
      const last = (await director.get(`estimates/?page_size=5&page=last&ordering=${ordering}${ordering === 'neto' ? '' : ',-id'}`)).json().results
      t.strictSame(last.map(({ id }: Item) => id), expected.slice(-(expected.length % 5 || 5)), `the last page by ${ordering}`)
    }
  })

  await t.test('filter by updated_since, including the given time', async (t) => {
    const { updated_at: at, id } = await change(all[3].id, { descripcion: 'Avance 4 de cimentación!' })
    t.same((await find(`updated_since=${at}`)).map(item => item.id), [id])
    await psql('update contracts set descripcion = $2 where id = $1', [losa, 'Torre'])
    t.equal((await find(`updated_since=${at}`)).length, 1)
    t.ok((await find('search=torre')).every(item => item.contract === losa), 'the current text of the contract is searched')
  })

  await t.test('are paged, by number and by cursor', async (t) => {
    const query = 'ordering=-contract,estado'
    const whole = await find(query)
    let next = `estimates/?page_size=5&${query}`
    const followed: Item[] = []
    for (let page = 1; next !== ''; page++) {
      const body = (await director.get(next)).json()
      t.equal(body.count, whole.length)
      t.strictSame((await director.get(`estimates/?page_size=5&${query}&page=${page}`)).json().results, body.results)
      followed.push(...body.results)
      next = body.next === null ? '' : (body.next as string).split('/api/v1/')[1]
    }
    t.strictSame(followed, whole, query)
    t.strictSame((await director.get(`estimates/?page_size=5&${query}&page=last`)).json().results, whole.slice(-(whole.length % 5)))
  })
})
