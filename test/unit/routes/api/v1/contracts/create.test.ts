import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('creating contracts', async (t) => {
  const { as, app, psql } = await build(t)
  const director = await as('director@demo.example')
  const [party] = await psql('select id, nombre from contrapartes where company_id = 1 order by id') as [{ id: number, nombre: string }]

  t.test('a contract with only a folio has the defaults, and its Location works', async (t) => {
    const response = await director.post('contracts/', { folio: 'SOLO-1' })
    t.equal(response.statusCode, 201)
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    const created = response.json()
    t.strictSame(created, {
      id: created.id,
      company: 1,
      folio: 'SOLO-1',
      contraparte: null,
      contraparte_id: null,
      monto: '0.00',
      parent: null,
      moneda: 'MXN',
      fecha_inicio: null,
      fecha_fin: null,
      anticipo_porcentaje: '0.00',
      retencion_porcentaje: '0.00',
      iva_porcentaje: '16.00',
      estado: 'vigente',
      external_id: null,
      created_at: created.created_at,
      updated_at: created.updated_at,
      version: 1,
      descripcion: '',
      hijos: 0,
      monto_subcontratado: '0.00',
      otras_monedas: {},
      monto_estimado: '0.00',
      por_estimar: '0.00'
    })
    t.ok(Number.isInteger(created.id))
    t.match(created.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/)
    t.match(created.updated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/)

    t.match(response.headers.location, new RegExp(`^http://localhost(:80)?/api/v1/contracts/${created.id}/$`))
    const fetched = await app.inject({ url: response.headers.location as string, headers: { authorization: `Bearer ${director.access}` } })
    t.equal(fetched.statusCode, 200)
    t.strictSame(fetched.json(), created)
  })

  t.test('every given field is stored', async (t) => {
    const given = {
      folio: 'TODO-1',
      contraparte: party.id,
      monto: '1500.5',
      parent: 1,
      descripcion: 'Losa de "azotea"\nsegunda línea',
      moneda: 'USD',
      fecha_inicio: '2026-02-28',
      fecha_fin: '2028-02-29',
      anticipo_porcentaje: '10',
      retencion_porcentaje: 5,
      iva_porcentaje: '100.00',
      estado: 'suspendido',
      external_id: 'sap/1 ñ'
    }
    const created = (await director.post('contracts/', given)).json()
    const kept = { ...given, contraparte: party.nombre, contraparte_id: party.id, monto: '1500.50', anticipo_porcentaje: '10.00', retencion_porcentaje: '5.00' }
    t.match(created, kept)
    t.match((await director.get(`contracts/${created.id}/`)).json(), kept)
    const { results } = (await director.get('contracts/?external_id=sap/1 ñ'.replaceAll(' ', '%20'))).json()
    const { descripcion, ...listed } = kept
    t.match(results, [listed])
  })

  t.test('the parent counts its new child and its amount', async (t) => {
    const parent = (await director.post('contracts/', { folio: 'PADRE' })).json().id
    await director.post('contracts/', { folio: 'HIJO-1', parent, monto: '9999999999999999.99' })
    await director.post('contracts/', { folio: 'HIJO-2', parent, monto: '9999999999999999.99' })
    t.match((await director.get(`contracts/${parent}/`)).json(), { hijos: 2, monto_subcontratado: '19999999999999999.98', monto: '0.00' })
  })

  t.test('the counterparty is given by id, by its exact name, or as null', async (t) => {
    const byId = (await director.post('contracts/', { folio: 'CP-1', contraparte: party.id })).json()
    const byName = (await director.post('contracts/', { folio: 'CP-2', contraparte: ` ${party.nombre.normalize('NFD')} ` })).json()
    const none = (await director.post('contracts/', { folio: 'CP-3', contraparte: null })).json()
    for (const created of [byId, byName]) t.match(created, { contraparte: party.nombre, contraparte_id: party.id })
    t.match(none, { contraparte: null, contraparte_id: null })

    for (const nearly of [party.nombre.toUpperCase(), party.nombre.slice(0, -1), String(party.id), '']) {
      const refused = await director.post('contracts/', { folio: 'CP-4', contraparte: nearly })
      t.equal(refused.statusCode, 400, nearly)
      t.strictSame(refused.json().errors, { contraparte: [nearly === '' ? 'This field may not be blank.' : `Object with nombre=${nearly} does not exist.`] })
    }
  })

  t.test('two companies may use the same folio and external_id', async (t) => {
    const other = await as('director@otra.example')
    for (const client of [director, other]) {
      t.equal((await client.post('contracts/', { folio: 'IGUAL', external_id: 'IGUAL' })).statusCode, 201)
    }
    const again = await other.post('contracts/', { folio: 'IGUAL', external_id: 'IGUAL' })
    t.equal(again.statusCode, 400)
    t.strictSame(again.json().errors, { folio: ['This field must be unique.'], external_id: ['This field must be unique.'] })
  })
})
