import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'

t.test('estimates that cannot be created', async (t) => {
  const { director, contract, estimate } = await estimating(t)
  const id = await contract({ retencion_porcentaje: '5' })
  await estimate(id, { external_id: 'TOMADO', periodo_inicio: '2026-01-01', periodo_fin: '2026-01-31' })
  const count = async () => (await director.get('estimates/')).json().count
  const refused = async (body: unknown, language = 'en') => {
    const response = await director.post('estimates/', body, { 'accept-language': language })
    t.equal(response.statusCode, 400, response.body)
    t.same(Object.keys(response.json()), ['detail', 'errors', 'codes'])
    return response.json().errors
  }

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
      deductivas: ['The subtotal or neto would be less than zero: monto has to cover amortizacion, retencion, deductivas, derechos and the charges of movimientos.']
    })
    t.strictSame(await refused(wrong, 'es'), {
      foo: ['Campo desconocido.'],
      factura_uuid: ['Debe ser un UUID válido.'],
      motivo_rechazo: ['Asegúrese de que este campo no tenga más de 2000 caracteres.'],
      company: ['Este campo debe ser su empresa activa.'],
      estado: ['Un registro nuevo debe empezar como "borrador".'],
      external_id: ['Este campo debe ser único.'],
      periodo_inicio: ['El periodo se traslapa con el de otra estimación del contrato.'],
      deductivas: ['El subtotal o el neto sería menor que cero: monto debe cubrir amortizacion, retencion, deductivas, derechos y los cargos de movimientos.']
    })
    t.equal(await count(), before)
  })
})
