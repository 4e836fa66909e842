import t from 'tap'
import { estimating } from '../../../support/estimating.ts'
import { refuses } from '../../../support/invalid.ts'
import { succeeded } from '../../../support/succeeded.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'
import { settled, waits } from './settled.ts'

const closed = { contract: ['This contract is closed. A "terminado" contract accepts only a finiquito.'] }
const notDue = { importe: ['A payment must have the sign of por_pagar and be at most as large.'] }

t.test('settlements', async (t) => {
  const { director, contract, estimate, change, read, psql } = await estimating(t)
  const post = async (resource: string, body: object) => await director.post(`${resource}/`, body)
  const make = async (resource: string, body: object) => succeeded(await post(resource, body))
  const pay = async (of: number, importe: string) => await post('pagos', { estimate: of, importe, fecha: '2026-06-01' })
  const authorize = async (id: number) => {
    await change(id, { estado: 'enviada' })
    return await change(id, { estado: 'autorizada' })
  }
  const move = async (of: number, tipo: string, importe: string, more: object = {}) =>
    await make('movimientos', { estimate: of, tipo, motivo: 'Finiquito', antes_iva: false, importe, ...more })
  const stateOf = async (id: number) => (await director.get(`contracts/${id}/`)).json().estado

  await t.test('in favour of the contractor', async (t) => {
    const of = await contract({ anticipo_porcentaje: '20', retencion_porcentaje: '5' })
    const concepto = (await make('conceptos', { contract: of, clave: 'MUR', unidad: 'm2', cantidad: '1000', precio_unitario: '800' })).id
    const measured = async (id: number, cantidad: string) => await make('generadores', { estimate: id, concepto, cantidad })
    const advance = await authorize((await estimate(of, { tipo: 'anticipo', anticipo: '160000' }))['id'])
    t.match(advance, { numero: 1, subtotal: '160000.00', iva: '25600.00', neto: '185600.00' })
    succeeded(await pay(advance['id'], '185600'))
    const first = await estimate(of)
    await measured(first['id'], '900')
    t.match(await authorize(first['id']), { monto: '720000.00', amortizacion: '144000.00', retencion: '28800.00', subtotal: '547200.00', iva: '87552.00', neto: '634752.00' })
    succeeded(await pay(first['id'], '500000'))

    const last = await estimate(of, { tipo: 'finiquito' })
    t.match(last, { numero: 2, monto: '0.00', amortizacion: '16000.00', neto: '-18560.00' }, 'a draft can be negative')
    refuses(t, await post('estimates', { contract: of }), { contract: waits })
    await measured(last['id'], '80')
    await move(last['id'], 'fondo_garantia', '28800', { sentido: 'abono', antes_iva: true })
    t.match(await authorize(last['id']), {
      monto: '64000.00',
      amortizacion: '16000.00',
      retencion: '0.00',
      cargos_antes_iva: '-28800.00',
      subtotal: '76800.00',
      iva: '12288.00',
      neto: '89088.00',
      pagado: '0.00',
      por_pagar: '89088.00'
    })
    t.match((await director.get(`contracts/${of}/`)).json(), { estado: 'terminado', monto_estimado: '784000.00', por_estimar: '16000.00' })
    const due = (await director.get(`estimates/?contract=${of}&ordering=id`)).json().results.map((one: Record<string, string>) => one['por_pagar'])
    t.same(due, ['0.00', '134752.00', '89088.00'])

    refuses(t, await post('convenios', { contract: of }), { contract: settled })
    refuses(t, await post('estimates', { contract: of }), closed)
    refuses(t, await post('estimates', { contract: of, tipo: 'finiquito', monto: '1' }), { monto: ['This estimate has no work: its monto is 0.00 and it has no generadores.'] })
    succeeded(await pay(first['id'], '134752'))
    t.same(await wrongSums(psql), [])
  })

  await t.test('in favour of the client: an early end, and the refund of the advance in two parts', async (t) => {
    const of = await contract({ monto: '1000000', anticipo_porcentaje: '30', derechos_porcentaje: '0.50' })
    const advance = await authorize((await estimate(of, { tipo: 'anticipo', anticipo: '300000' }))['id'])
    t.match(advance, { neto: '348000.00' })
    await change(advance['id'], { estado: 'pagada' })
    const first = (await estimate(of, { monto: '250000' }))['id']
    await move(first, 'retencion', '9000')
    t.match(await authorize(first), { amortizacion: '75000.00', subtotal: '175000.00', iva: '28000.00', derechos: '1250.00', cargos_despues_iva: '9000.00', neto: '192750.00' })
    succeeded(await pay(first, '192750'))
    succeeded(await director.send('PATCH', `contracts/${of}/`, { estado: 'terminado' }))
    refuses(t, await post('estimates', { contract: of, monto: '40000' }), closed)
    const last = (await estimate(of, { tipo: 'finiquito', monto: '40000' }))['id']
    await move(last, 'retencion', '9000', { sentido: 'abono' })
    await move(last, 'pena', '21500')
    t.match(await authorize(last), {
      numero: 2,
      amortizacion: '225000.00',
      subtotal: '-185000.00',
      iva: '-29600.00',
      derechos: '200.00',
      cargos_despues_iva: '12500.00',
      neto: '-227300.00',
      por_pagar: '-227300.00'
    })
    refuses(t, await pay(last, '1000'), notDue)
    refuses(t, await pay(last, '-227300.01'), notDue)
    succeeded(await pay(last, '-100000'))
    t.match(await read(last), { por_pagar: '-127300.00', estado: 'autorizada' })
    t.equal((await director.get(`estimates/?contract=${of}&pendiente_pago=true`)).json().count, 1)
    const second = succeeded(await pay(last, '-127300'))
    t.match(await read(last), { por_pagar: '0.00', estado: 'pagada' })
    t.equal((await director.send('DELETE', `pagos/${second.id}/`)).statusCode, 204)
    t.match(await change(last, { estado: 'pagada' }), { pagado: '-227300.00' }, 'an old client pays the rest')
    t.same(await wrongSums(psql), [])
  })

  await t.test('that returns the guarantee fund, and a later return of it', async (t) => {
    const of = await contract({ monto: '1000000', anticipo_porcentaje: '10', retencion_porcentaje: '10', retencion_antes_iva: false })
    const first = (await estimate(of, { monto: '600000' }))['id']
    await move(first, 'impuesto', '6750')
    await make('movimientos', { estimate: first, tipo: 'impuesto', motivo: 'IVA retenido', antes_iva: false, porcentaje: '66.666667', base: 'iva' })
    t.match(await authorize(first), { amortizacion: '60000.00', retencion: '54000.00', neto: '508050.00' })
    await director.send('PATCH', `contracts/${of}/`, { monto: '600000' })
    const last = (await estimate(of, { tipo: 'finiquito' }))['id']
    refuses(t, await post('movimientos', { estimate: last, tipo: 'fondo_garantia', sentido: 'abono', motivo: 'Fondo', antes_iva: true, importe: '54000' }), {
      importe: ['More would be returned than authorized estimates of the contract have taken with the same tipo and antes_iva.']
    })
    await move(last, 'fondo_garantia', '24000', { sentido: 'abono' })
    t.match(await authorize(last), { numero: 2, monto: '0.00', amortizacion: '0.00', retencion: '0.00', subtotal: '0.00', iva: '0.00', cargos_despues_iva: '-24000.00', neto: '24000.00' })

    const later = (await estimate(of, { tipo: 'finiquito' }))['id']
    refuses(t, await post('estimates', { contract: of, tipo: 'finiquito' }), { contract: waits })
    await move(later, 'fondo_garantia', '30000', { sentido: 'abono' })
    t.match(await authorize(later), { numero: 3, cargos_despues_iva: '-30000.00', neto: '30000.00' })
    succeeded(await pay(later, '30000'))
    t.equal(await stateOf(of), 'terminado')
    t.same(await wrongSums(psql), [])
  })
})
