import t from 'tap'
import { demoPassword } from '../../src/domain/demo/data.ts'
import { build } from '../support/helper.ts'
import { call, tokensOf } from '../support/over-http.ts'

t.test('a site office: from a subcontractor to a paid estimate', async (t) => {
  const { app } = await build(t)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const { access } = await tokensOf(origin, 'director@demo.example', demoPassword)
  const send = async (method: string, path: string, body?: unknown) => await call(origin, method, path, { token: access, body })
  const made = async (path: string, body: unknown) => {
    const { status, body: record } = await send('POST', path, body)
    t.equal(status, 201, JSON.stringify(record))
    return record
  }
  const becomes = async (estimate: { id: number }, estado: string, more = {}) => {
    const { status, body } = await send('PATCH', `estimates/${estimate.id}/`, { estado, ...more })
    t.equal(status, 200, JSON.stringify(body))
    t.equal(body.estado, estado)
    return body
  }

  // Counterparties and contracts
  const olmo = await made('contrapartes/', { nombre: 'Cimbras Olmo, S.A. de C.V.', rfc: 'col-100203-ab4', tipo: 'subcontratista' })
  t.match(olmo, { rfc: 'COL100203AB4', rfc_warning: false, activo: true })
  const main = await made('contracts/', { folio: 'TORRE-1', descripcion: 'Torre de oficinas', monto: '1000000.00', anticipo_porcentaje: '10.00', retencion_porcentaje: '5.00' })
  const formwork = await made('contracts/', { folio: 'TORRE-1-A', descripcion: 'Cimbra', monto: '300000', parent: main.id, contraparte: olmo.id })
  const steel = await made('contracts/', { folio: 'TORRE-1-B', descripcion: 'Acero', monto: '150000.50', parent: main.id, contraparte: 'Cimbras Olmo, S.A. de C.V.' })
  t.equal(steel.contraparte_id, olmo.id)

  // Three periods are billed.
  const january = await made('estimates/', { contract: main.id, periodo_inicio: '2026-01-01', periodo_fin: '2026-01-31', monto: '200000.00' })
  const february = await made('estimates/', { contract: main.id, periodo_inicio: '2026-02-01', periodo_fin: '2026-02-28', monto: '250000.00', deductivas: '1500.00' })
  const march = await made('estimates/', { contract: main.id, periodo_inicio: '2026-03-01', periodo_fin: '2026-03-31', monto: '300000.00' })
  t.match(january, { numero: 1, contract_folio: 'TORRE-1', estado: 'borrador', amortizacion: '20000.00', retencion: '9000.00', subtotal: '171000.00', iva: '27360.00', neto: '198360.00', monto_acumulado: '200000.00' })
  t.match([february.numero, february.monto_acumulado, march.numero, march.monto_acumulado], [2, '450000.00', 3, '750000.00'])
  const twice = await send('POST', 'estimates/', { contract: main.id, periodo_inicio: '2026-03-31', periodo_fin: '2026-04-30' })
  t.match(twice, { status: 400, body: { errors: { periodo_inicio: ['The period overlaps the period of another estimate of the contract.'] } } })

  // One is rejected and corrected.
  for (const estimate of [january, february, march]) await becomes(estimate, 'enviada')
  const unexplained = await send('PATCH', `estimates/${february.id}/`, { estado: 'rechazada' })
  t.match(unexplained, { status: 400, body: { errors: { motivo_rechazo: ['This field is required.'] } } })
  await becomes(february, 'rechazada', { motivo_rechazo: 'Faltan los números generadores del eje G.' })
  t.match(await send('PATCH', `estimates/${february.id}/`, { monto: '240000.00' }), { status: 409, body: { code: 'conflict' } })
  await becomes(february, 'borrador')
  t.equal((await send('PATCH', `estimates/${february.id}/`, { monto: '240000.00' })).status, 200)
  await becomes(february, 'enviada')

  // All are authorized, the first is paid.
  await becomes(january, 'autorizada')
  t.match(await becomes(february, 'autorizada'), { amortizacion: '24000.00', retencion: '10800.00', subtotal: '203700.00', iva: '32592.00', neto: '236292.00' })
  await becomes(march, 'autorizada')
  await becomes(january, 'pagada', { factura_uuid: '0F8FAD5B-D9CB-469F-A165-70867728950E' })
  t.match((await send('GET', `contracts/${main.id}/`)).body, { hijos: 2, monto_subcontratado: '450000.50', monto_estimado: '740000.00', por_estimar: '260000.00' })
  const april = await made('estimates/', { contract: main.id, periodo_inicio: '2026-04-01', periodo_fin: '2026-04-30', monto: '260000.01' })
  await becomes(april, 'enviada')
  const beyond = await send('PATCH', `estimates/${april.id}/`, { estado: 'autorizada' })
  t.match(beyond, { status: 400, body: { errors: { monto: ['The authorized total would exceed the amount of the contract.'] } } })

  // A subcontract moves; a change that would break the tree or lose data is refused.
  t.match(await send('PATCH', `contracts/${steel.id}/`, { parent: formwork.id }), { status: 200, body: { parent: formwork.id } })
  const cycle = await send('PATCH', `contracts/${formwork.id}/`, { parent: steel.id })
  t.match(cycle, { status: 400, body: { errors: { parent: ['A contract may not be moved under itself or one of its subcontracts.'] } } })
  t.match((await send('GET', `contracts/${main.id}/tree/`)).body, { monto_total: '1450000.50', children: [{ folio: 'TORRE-1-A', children: [{ folio: 'TORRE-1-B', children: [] }] }] })
  t.match(await send('DELETE', `contracts/${main.id}/`), { status: 409, body: { code: 'protected', detail: 'This contract cannot be deleted while it has subcontracts (1) or estimates (4).' } })
  t.match(await send('DELETE', `estimates/${january.id}/`), { status: 409, body: { code: 'conflict' } })
  t.match(await send('DELETE', `contrapartes/${olmo.id}/`), { status: 409, body: { code: 'protected' } })
  t.equal((await send('DELETE', `contracts/${steel.id}/`)).status, 204)
})
