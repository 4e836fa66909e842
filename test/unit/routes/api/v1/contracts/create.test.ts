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
      derechos_porcentaje: '0.00',
      retencion_antes_iva: true,
      estado: 'vigente',
      external_id: null,
      created_at: created.created_at,
      updated_at: created.updated_at,
      version: 1,
      descripcion: '',
      hijos: 0,
      monto_subcontratado: '0.00',
      otras_monedas: {},
      monto_original: '0.00',
      fecha_fin_original: null,
      extra_autorizado: '0.00',
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
})
