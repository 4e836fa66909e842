import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'

t.test('estimates that cannot be created', async (t) => {
  const { as, director, contract, estimate, psql } = await estimating(t)
  const id = await contract({ retencion_porcentaje: '5' })
  await estimate(id, { external_id: 'TOMADO', periodo_inicio: '2026-01-01', periodo_fin: '2026-01-31' })
  const count = async () => (await director.get('estimates/')).json().count
  const refused = async (body: unknown, language = 'en') => {
    const response = await director.post('estimates/', body, { 'accept-language': language })
    t.equal(response.statusCode, 400, response.body)
    t.same(Object.keys(response.json()), ['detail', 'errors', 'codes'])
    return response.json().errors
  }

  await t.test('without a contract, or with one of another company', async (t) => {
    const [foreign] = await psql('select id from contracts where company_id = 3 limit 1') as [{ id: number }]
    t.strictSame(await refused({}), { contract: ['This field is required.'] })
    t.strictSame(await refused({}, 'es'), { contract: ['Este campo es requerido.'] })
    t.strictSame(await refused({ contract: null }), { contract: ['This field may not be null.'] })
    for (const absent of [foreign.id, 999_999]) {
      t.strictSame(await refused({ contract: absent }), { contract: [`Invalid pk "${absent}" - object does not exist.`] })
      t.strictSame(await refused({ contract: absent }, 'es'), { contract: [`Clave primaria "${absent}" inválida - objeto no existe.`] })
    }
    for (const wrong of ['E-1', '1.5', '', 1.5, true, {}, [1]]) t.same(Object.keys(await refused({ contract: wrong })), ['contract'], JSON.stringify(wrong))
  })

  await t.test('in another state than borrador', async (t) => {
    for (const estado of ['enviada', 'autorizada', 'pagada', 'rechazada', 'cancelada']) {
      t.strictSame(await refused({ contract: id, estado }), { estado: ['A new record must start as "borrador".'] })
    }
    t.strictSame(await refused({ contract: id, estado: 'pagada' }, 'es'), { estado: ['Un registro nuevo debe empezar como "borrador".'] })
    t.strictSame(await refused({ contract: id, estado: 'abierta' }), { estado: ['"abierta" is not a valid choice. Valid choices: borrador, enviada, autorizada, pagada, rechazada, cancelada.'] })
  })

  const wrong = {
    contract: id,
    periodo_inicio: '2026-01-31',
    periodo_fin: '2026-02-15',
    monto: '100',
    deductivas: '95.01',
    estado: 'enviada',
    factura_uuid: 'no',
    motivo_rechazo: 'x'.repeat(2001),
    external_id: 'TOMADO',
    foo: 1,
    company: 2
  }

  await t.test('with several errors report all of them, in both languages', async (t) => {
    const before = await count()
    t.strictSame(await refused(wrong), {
      foo: ['Unknown field.'],
      factura_uuid: ['Must be a valid UUID.'],
      motivo_rechazo: ['Ensure this field has no more than 2000 characters.'],
      company: ['This field must be your active company.'],
      estado: ['A new record must start as "borrador".'],
      external_id: ['This field must be unique.'],
      periodo_inicio: ['The period overlaps the period of another estimate of the contract.'],
      deductivas: ['Ensure this value is not more than monto minus amortizacion and retencion.']
    })
    t.strictSame(await refused(wrong, 'es'), {
      foo: ['Campo desconocido.'],
      factura_uuid: ['Debe ser un UUID válido.'],
      motivo_rechazo: ['Asegúrese de que este campo no tenga más de 2000 caracteres.'],
      company: ['Este campo debe ser su empresa activa.'],
      estado: ['Un registro nuevo debe empezar como "borrador".'],
      external_id: ['Este campo debe ser único.'],
      periodo_inicio: ['El periodo se traslapa con el de otra estimación del contrato.'],
      deductivas: ['Asegúrese de que este valor no exceda monto menos amortizacion y retencion.']
    })
    t.equal(await count(), before)
  })

  await t.test('with invalid values', async (t) => {
    const bad: Record<string, unknown[]> = {
      monto: ['abc', '1.005', '-1', '1e2', 12345678901234568, '12345678901234567', null, true, 'NaN', '1,000'],
      deductivas: ['abc', '0.001', '-0.01', null],
      periodo_inicio: ['2026-02-30', 'ayer', 5],
      factura_uuid: ['', '6128396fc09b4ec6869943c5f7e3b23', 5, '6128396f-c09b-4ec6-8699-43c5f7e3b23g'],
      external_id: ['', 'x'.repeat(129), true],
      descripcion: ['x'.repeat(2001), null, 'a\0b'],
      motivo_rechazo: [null, true]
    }
    for (const [field, values] of Object.entries(bad)) {
      for (const value of values) t.ok((await refused({ contract: id, [field]: value }))[field]?.length === 1, `${field} ${JSON.stringify(value)}`)
    }
  })

  await t.test('an external_id of another company is not an error', async (t) => {
    const other = await as('director@otra.example')
    const theirs = (await other.post('contracts/', { folio: 'OTRA' })).json().id
    t.equal((await other.post('estimates/', { contract: theirs, external_id: 'TOMADO' })).statusCode, 201)
    t.equal((await other.get('estimates/')).json().count, 1)
  })
})
