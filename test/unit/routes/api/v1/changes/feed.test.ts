import t from 'tap'
import { resources } from '../../../../../../src/domain/resources.ts'
import { usualOf } from '../../../../../../src/resources/feed/cursor.ts'
import { Device, type Page, type FeedRecord } from '../../../../../support/device.ts'
import { build } from '../../../../../support/helper.ts'
import { None } from '../../../../../support/none.ts'

const usual = usualOf(resources)

t.test('the change feed', async (t) => {
  const { as, psql } = await build(t, { RATE_LIMIT: 'off' })
  const director = await as('director@demo.example')
  const all: Record<string, FeedRecord[]> = {}
  for (const resource of usual) all[resource] = (await director.get(`${resource}/?page_size=200`)).json().results
  const page = async (query: string): Promise<Page> => {
    const answer = await director.get(`changes/?${query}`)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return answer.json()
  }
  const current = async (resources?: string) => {
    const device = new Device(director.get, resources)
    await device.sync()
    return device
  }
  const created = async (folio: string, body: object = {}): Promise<FeedRecord> => (await director.post('contracts/', { folio, ...body })).json()

  await t.test('starts with all records, by resource and id, in pages of any size', async (t) => {
    const expected = usual.flatMap(resource => all[resource]?.map(({ id }) => `${resource}/${id}`) ?? [])
    for (const size of [1, 7, 10, 75, 76, 1000]) {
      const seen: string[] = []
      let cursor = ''
      for (let more = true; more;) {
        const { changes, has_more: hasMore, counts, revision, cursor: next } = await page(`page_size=${size}${cursor}`)
        seen.push(...changes.map(({ resource, id }) => `${resource}/${id}`))
        for (const change of changes) t.equal(change.revision, revision)
        t.same(counts, hasMore ? undefined : { contrapartes: 10, contracts: 60, estimates: 9 })
        cursor = `&cursor=${next}`
        more = hasMore
      }
      t.same(seen, expected, `${size} per page`)
    }
  })

  await t.test('has the values that a record stores, as the record itself has them', async (t) => {
    const device = await current()
    for (const [resource, others] of [['contrapartes', []], ['contracts', ['contraparte', 'hijos', 'monto_subcontratado', 'otras_monedas', 'monto_estimado', 'por_estimar', 'monto_original', 'fecha_fin_original', 'extra_autorizado']], ['estimates', ['contract_folio', 'avisos', 'por_pagar', 'monto_acumulado']]] as const) {
      for (const { id } of all[resource] ?? []) {
        const record = (await director.get(`${resource}/${id}/`)).json()
        for (const field of others) delete record[field]
        // Amounts of an estimate are its own from the authorization on.
        if (resource === 'estimates' && !['autorizada', 'pagada'].includes(record.estado)) for (const field of ['amortizacion', 'retencion', 'cargos_antes_iva', 'subtotal', 'iva', 'derechos', 'cargos_despues_iva', 'neto']) delete record[field]
        t.strictSame(device.records.get(`${resource}/${id}`), record)
      }
    }
    t.ok([...device.records.values()].some(record => record['estado'] === 'autorizada'))
  })

  await t.test('continues with each change once, in its latest state', async (t) => {
    const device = await current()
    const first = await created('FEED-1')
    const second = await created('FEED-2')
    await director.send('PATCH', `contracts/${first.id}/`, { monto: '1.50' })
    await director.send('PATCH', `contracts/${first.id}/`, { descripcion: 'línea\u2028 "y" \\ 🏗' })
    const { changes, has_more: hasMore, revision, counts } = await page(`cursor=${device.cursor}`)
    t.match(changes, [
      { resource: 'contracts', id: second.id, revision: revision - 2, record: { folio: 'FEED-2', version: 1 } },
      { resource: 'contracts', id: first.id, revision, record: { folio: 'FEED-1', monto: '1.50', descripcion: 'línea\u2028 "y" \\ 🏗', version: 3 } }
    ])
    t.equal(changes.length, 2)
    t.equal(hasMore, false)
    t.same(counts, { contrapartes: 10, contracts: 62, estimates: 9 })
    const next = await page(`cursor=${device.cursor}&page_size=1`)
    t.match(next, { changes: [{ id: second.id }], has_more: true, counts: undefined })
    t.match(await page(`cursor=${next.cursor}&page_size=1`), { changes: [{ id: first.id }], has_more: false })
  })

  await t.test('announces a deleted record to a cursor that may have seen it, and to no other', async (t) => {
    const seen = await created('FEED-3')
    const device = await current()
    const unseen = await created('FEED-4')
    for (const { id } of [seen, unseen]) t.equal((await director.send('DELETE', `contracts/${id}/`)).statusCode, 204)
    t.match((await page(`cursor=${device.cursor}`)).changes, [{ resource: 'contracts', id: seen.id, deleted: true }])
    t.equal((await page(`cursor=${device.cursor}`)).changes.length, 1)
    t.notOk((await page('page_size=1000')).changes.some(({ deleted }) => deleted), 'not in a snapshot')
  })

  await t.test('ends a snapshot with the changes since its start', async (t) => {
    const ids = [(await created('FEED-5')).id, (await created('FEED-6')).id, (await created('FEED-7')).id] as const
    const other = new Device(director.get)
    await other.step(40)
    t.ok(other.records.has('contracts/1'))
    await director.send('PATCH', 'contracts/1/', { descripcion: 'changed behind the snapshot' })
    await director.send('DELETE', `contracts/${ids[0]}/`)
    await other.step(43) // up to the last contracts
    t.ok(other.records.has(`contracts/${ids[2]}`))
    await director.send('DELETE', `contracts/${ids[2]}/`)
    const added = await created('FEED-8')
    await other.sync(2)
    t.equal(other.records.get('contracts/1')?.['descripcion'], 'changed behind the snapshot')
    t.strictSame([ids[0], ids[1], ids[2], added.id].map(id => other.records.has(`contracts/${id}`)), [false, true, false, true])
    t.same(other.faults, [])
  })

  await t.test('divides a revision with many records into pages', async (t) => {
    const device = await current()
    const items = Array.from({ length: 25 }, (_, n) => ({ folio: `MANY-${n}` }))
    t.equal((await director.post('contracts/bulk/', { items })).statusCode, 201)
    const seen: number[] = []
    while (!await device.step(10)) seen.push([...device.records.keys()].length)
    t.equal(seen.length, 2)
    t.same(device.faults, [])
    t.equal([...device.records.values()].filter(({ folio }) => String(folio).startsWith('MANY-')).length, 25)
  })

  await t.test('has only the wanted resources', async (t) => {
    const device = await current('estimates,contrapartes')
    t.same([...new Set([...device.records.keys()].map(key => key.split('/')[0]))], ['contrapartes', 'estimates'])
    await created('FEED-9')
    t.match(await page(`cursor=${device.cursor}`), { changes: None, has_more: false, counts: { contrapartes: 10, estimates: 9, contracts: undefined } })
    await director.post('contrapartes/', { nombre: 'FEED-10' })
    t.match((await page(`cursor=${device.cursor}&resources=contrapartes,estimates`)).changes, [{ resource: 'contrapartes' }])
  })

  await t.test('passes over many superseded entries in several pages', async (t) => {
    const device = await current()
    const [{ company }] = await psql('select company_id as company from contracts where id = 1') as [{ company: number }]
    for (let times = 0; times < 40; times++) await psql('update contracts set descripcion = $2 where company_id = $1', [company, `round ${times}`])
    const first = await page(`cursor=${device.cursor}`)
    t.match(first, { changes: None, has_more: true })
    await device.sync(1000)
    t.same(device.faults, [])
    t.ok([...device.records].filter(([key]) => key.startsWith('contracts/')).every(([, { descripcion }]) => descripcion === 'round 39'))
  })

  await t.test('answers 304 to a cursor with nothing new', async (t) => {
    const device = await current()
    const { headers } = await director.get(`changes/?cursor=${device.cursor}`)
    const unchanged = async () => (await director.get(`changes/?cursor=${device.cursor}`, { 'if-none-match': headers.etag as string })).statusCode
    t.equal(await unchanged(), 304)
    await created('FEED-11')
    t.equal(await unchanged(), 200)
  })

  await t.test('is for all levels, but not without an active company', async (t) => {
    for (const email of ['auxiliar', 'coordinador', 'corporativo']) t.equal((await (await as(`${email}@demo.example`)).get('changes/')).statusCode, 200, email)
    t.equal((await (await as('sincompania@demo.example')).get('changes/')).statusCode, 403)
    const other = await as('director@otra.example')
    const { changes } = (await other.get('changes/')).json() as Page
    t.ok(changes.length > 0)
    t.ok(changes.every(({ record }) => record?.['company'] !== (all['contracts']?.[0])['company']))
  })
})
