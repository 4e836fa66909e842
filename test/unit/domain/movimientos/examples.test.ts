import t from 'tap'
import { refuses } from '../../../support/invalid.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'
import { moving } from './moving.ts'

const returnsMore = { importe: ['More would be returned than authorized estimates of the contract have taken with the same tipo and antes_iva.'] }

t.test('examples with movements', async (t) => {
  const { contract, estimate, post, move, authorize, read, psql } = await moving(t)

  await t.test('ties of percentages', async (t) => {
    const of = await contract({ retencion_porcentaje: '5', derechos_porcentaje: '0.50' })
    for (const [monto, derechos, retencion] of [['1.00', '0.01', '0.05'], ['0.10', '0.00', '0.01'], ['0.99', '0.00', '0.05'], ['3.00', '0.02', '0.15']]) {
      t.match(await estimate(of, { monto }), { monto, derechos, retencion, derechos_porcentaje: '0.50' })
    }
  })

  await t.test('public works: 5 al millar, retention for delay, its return, a penalty', async (t) => {
    const of = await contract({ monto: '1000000', anticipo_porcentaje: '30', derechos_porcentaje: '0.50' })
    const first = (await estimate(of, { monto: '80000' }))['id']
    const second = (await estimate(of, { monto: '210000' }))['id']
    await move(first, { tipo: 'retencion', importe: '4000' })
    refuses(t, await post(second, { tipo: 'retencion', sentido: 'abono', importe: '4000' }), returnsMore)
    t.match(await authorize(first), {
      monto: '80000.00',
      amortizacion: '24000.00',
      retencion: '0.00',
      deductivas: '0.00',
      cargos_antes_iva: '0.00',
      subtotal: '56000.00',
      iva: '8960.00',
      derechos: '400.00',
      cargos_despues_iva: '4000.00',
      neto: '60560.00'
    })
    await move(second, { tipo: 'retencion', sentido: 'abono', importe: '2500' })
    t.match(await authorize(second), {
      monto: '210000.00',
      amortizacion: '63000.00',
      retencion: '0.00',
      cargos_antes_iva: '0.00',
      subtotal: '147000.00',
      iva: '23520.00',
      derechos: '1050.00',
      cargos_despues_iva: '-2500.00',
      neto: '171970.00'
    })
    const third = (await estimate(of, { monto: '350000' }))['id']
    refuses(t, await post(third, { tipo: 'retencion', sentido: 'abono', importe: '1500.01' }), returnsMore)
    await move(third, { tipo: 'retencion', sentido: 'abono', importe: '1500' })
    await move(third, { tipo: 'pena', importe: '6200' })
    await move(third, { tipo: 'deductiva', antes_iva: true, importe: '12000' })
    t.match(await authorize(third), {
      monto: '350000.00',
      amortizacion: '105000.00',
      retencion: '0.00',
      deductivas: '0.00',
      cargos_antes_iva: '12000.00',
      subtotal: '233000.00',
      iva: '37280.00',
      derechos: '1750.00',
      cargos_despues_iva: '4700.00',
      neto: '263830.00',
      por_pagar: '263830.00'
    })
    t.same(await psql("select tipo, tomado from movement_sums where contract_id = $1 and tipo in ('retencion', 'fondo_garantia')", [of]), [{ tipo: 'retencion', tomado: '0.00' }])

    const untaxed = await contract({ monto: '1000000', anticipo_porcentaje: '30', derechos_porcentaje: '0.50', iva_porcentaje: '0' })
    const sigecop = (await estimate(untaxed, { monto: '80000' }))['id']
    await move(sigecop, { tipo: 'retencion', importe: '4000' })
    t.match(await read(sigecop), { neto: '51600.00' })
  })

  await t.test('private subcontract: guarantee fund after tax, withheld taxes, return of the fund', async (t) => {
    const terms = { monto: '1000000', anticipo_porcentaje: '10', retencion_porcentaje: '10' }
    const of = await contract({ ...terms, retencion_antes_iva: false })
    const first = (await estimate(of, { monto: '600000' }))['id']
    const isr = await move(first, { tipo: 'impuesto', motivo: 'ISR', porcentaje: '1.25', base: 'subtotal' })
    const withheld = await move(first, { tipo: 'impuesto', motivo: 'IVA retenido, dos terceras partes', porcentaje: '66.666667', base: 'iva' })
    t.match([isr, withheld], [{ importe: '6750.00', porcentaje: '1.250000' }, { importe: '57600.00', porcentaje: '66.666667' }])
    const amounts = {
      monto: '600000.00',
      amortizacion: '60000.00',
      retencion: '54000.00',
      cargos_antes_iva: '0.00',
      subtotal: '540000.00',
      iva: '86400.00',
      derechos: '0.00',
      cargos_despues_iva: '64350.00',
      neto: '508050.00',
      retencion_antes_iva: false
    }
    t.match(await read(first), amounts)
    t.match(await authorize(first), amounts)
    const last = (await estimate(of))['id']
    refuses(t, await post(last, { tipo: 'fondo_garantia', sentido: 'abono', antes_iva: true, importe: '54000' }), returnsMore)
    await move(last, { tipo: 'fondo_garantia', sentido: 'abono', importe: '54000' })
    t.match(await authorize(last), { monto: '0.00', subtotal: '0.00', iva: '0.00', cargos_despues_iva: '-54000.00', neto: '54000.00' })

    const before = await contract(terms)
    t.match(await estimate(before, { monto: '600000' }), {
      amortizacion: '60000.00', retencion: '54000.00', subtotal: '486000.00', iva: '77760.00', neto: '563760.00', retencion_antes_iva: true
    })
    t.same(await wrongSums(psql), [])
  })
})
