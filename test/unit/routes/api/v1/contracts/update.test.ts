import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('updating contracts', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')
  const full = {
    folio: 'ACT-1',
    contraparte: 3,
    monto: '100.00',
    parent: 1,
    descripcion: 'Antes',
    moneda: 'USD',
    fecha_inicio: '2026-01-01',
    fecha_fin: '2026-12-31',
    anticipo_porcentaje: '10.00',
    retencion_porcentaje: '5.00',
    iva_porcentaje: '8.00',
    estado: 'suspendido',
    external_id: 'act-1'
  }
  const { id } = (await director.post('contracts/', full)).json()
  const read = async () => (await director.get(`contracts/${id}/`)).json()

  t.test('PUT keeps omitted optional fields', async (t) => {
    const { updated_at: before, ...rest } = await read()
    const response = await director.send('PUT', `contracts/${id}/`, { folio: 'ACT-2' })
    t.equal(response.statusCode, 200)
    const { updated_at: after, ...changed } = response.json()
    t.strictSame(changed, { ...rest, folio: 'ACT-2', version: 2 })
    t.not(after, before)
    t.strictSame(await read(), { ...changed, updated_at: after })
  })

  t.test('PATCH changes the given fields, to null if given, and requires none', async (t) => {
    const before = await read()
    const response = await director.send('PATCH', `contracts/${id}/`, { monto: 7, contraparte: null, fecha_fin: null })
    t.equal(response.statusCode, 200)
    const after = response.json()
    t.strictSame(after, { ...before, monto: '7.00', monto_original: '7.00', por_estimar: '7.00', contraparte: null, contraparte_id: null, fecha_fin: null, fecha_fin_original: null, version: 3, updated_at: after.updated_at })
    t.strictSame(await read(), after)
  })

  t.test('an update without a change keeps version and updated_at', async (t) => {
    const before = await read()
    for (const body of [{}, undefined, { monto: '7.00' }, { folio: ` ${before.folio} ` }]) {
      const response = await director.send('PATCH', `contracts/${id}/`, body)
      t.equal(response.statusCode, 200)
      t.strictSame(response.json(), before)
    }
    t.strictSame(await read(), before)
  })

  t.test('the answer of a GET can be edited and sent back by PUT, with its read-only fields', async (t) => {
    for (const contract of [id, 1, 7]) {
      const got = (await director.get(`contracts/${contract}/`)).json()
      const same = await director.send('PUT', `contracts/${contract}/`, got)
      t.equal(same.statusCode, 200, same.body)
      t.strictSame(same.json(), got)

      const edited = { ...got, descripcion: 'Editado', monto: '9999999999999999.99' }
      const put = (await director.send('PUT', `contracts/${contract}/`, edited)).json()
      t.strictSame(put, { ...edited, monto_original: edited.monto, por_estimar: put.por_estimar, version: got.version + 1, updated_at: put.updated_at })
    }
    const [item] = (await director.get('contracts/?folio=ACT-2')).json().results
    t.equal((await director.send('PUT', `contracts/${id}/`, item)).statusCode, 200)
    t.equal((await read()).descripcion, 'Editado', 'a list item has no descripcion to send back')
  })

  t.test('a new date is compared with the stored one', async (t) => {
    await director.send('PATCH', `contracts/${id}/`, { fecha_inicio: '2026-03-01', fecha_fin: '2026-03-01' })
    for (const body of [{ fecha_fin: '2026-02-28' }, { fecha_inicio: '2026-03-02' }]) {
      const refused = await director.send('PATCH', `contracts/${id}/`, body)
      t.equal(refused.statusCode, 400)
      t.strictSame(refused.json().errors, { fecha_fin: ['fecha_fin may not be before fecha_inicio.'] })
    }
    t.equal((await director.send('PATCH', `contracts/${id}/`, { fecha_inicio: '2027-01-01', fecha_fin: null })).statusCode, 200)
  })

  t.test('concurrent changes of different fields of one contract all succeed', async (t) => {
    const before = await read()
    const changes = [{ monto: '8.50' }, { descripcion: 'A la vez' }, { moneda: 'EUR' }, { iva_porcentaje: '0.00' }, { fecha_inicio: null }, { anticipo_porcentaje: '1.00' }]
    const answers = await Promise.all(changes.map(async change => await director.send('PATCH', `contracts/${id}/`, change)))
    t.same(answers.map(({ statusCode }) => statusCode), changes.map(() => 200))
    for (const [index, change] of changes.entries()) t.match(answers[index]?.json(), change)
    t.match(await read(), { ...Object.fromEntries(changes.flatMap(change => Object.entries(change))), version: before.version + changes.length })
  })
})
