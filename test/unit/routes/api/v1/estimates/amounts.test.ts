import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'
import { invalid } from '../../../../../support/invalid.ts'

t.test('the amounts of an estimate', async (t) => {
  const { director, contract, estimate, send, change, read } = await estimating(t)
  const amend = async (id: number, fields: object) => {
    const response = await director.send('PATCH', `contracts/${id}/`, fields)
    t.equal(response.statusCode, 200, response.body)
    return response.json()
  }

  await t.test('are rounded half up, each from exact products', async (t) => {
    const id = await contract({ monto: '1000', anticipo_porcentaje: '33.33', retencion_porcentaje: '12.5', iva_porcentaje: '8' })
    t.match(await estimate(id, { monto: '0.15', deductivas: '0.01' }), {
      amortizacion: '0.05', // 0.049995
      retencion: '0.01', // 0.0125
      subtotal: '0.08',
      iva: '0.01', // 0.0064
      neto: '0.09'
    })
    t.match(await estimate(id, { monto: '1.50' }), { amortizacion: '0.50', retencion: '0.13', subtotal: '0.87', iva: '0.07', neto: '0.94' }, '0.125 is 0.13')
  })

  await t.test('made negative by a change of the contract can be corrected, but the state cannot advance', async (t) => {
    const id = await contract({ monto: '0', anticipo_porcentaje: '50' })
    const refusal = { deductivas: ['The subtotal or neto would be less than zero: monto has to cover amortizacion, retencion, deductivas, derechos and the charges of movimientos.'] }
    const [draft, sent] = [await estimate(id, { monto: '100', deductivas: '60' }), await estimate(id, { monto: '100', deductivas: '60' }, 'enviada')]
    const rejected = await estimate(id, { monto: '100', deductivas: '60' }, 'rechazada')
    await amend(id, { monto: '1000' })
    for (const { id } of [draft, sent, rejected]) t.match(await read(id), { amortizacion: '50.00', subtotal: '-10.00', iva: '-1.60', neto: '-11.60' })

    t.strictSame((await send(draft['id'], { estado: 'enviada' })).json().errors, refusal)
    t.strictSame((await send(sent['id'], { estado: 'autorizada' })).json().errors, refusal)
    t.strictSame((await send(draft['id'], { deductivas: '50.01' })).json().errors, refusal)
    for (const { id } of [draft, sent, rejected]) t.match(await change(id, { descripcion: 'Por corregir' }), { descripcion: 'Por corregir', subtotal: '-10.00' })
    for (const { id } of [sent, rejected]) t.match(await change(id, { estado: 'borrador' }), { estado: 'borrador' })
    for (const { id } of [draft, sent]) t.match(await change(id, { deductivas: '50', estado: 'enviada' }), { estado: 'enviada', subtotal: '0.00', neto: '0.00' })
    t.match(await change(rejected['id'], { estado: 'cancelada' }), { estado: 'cancelada' })
  })

  await t.test('that are too large are refused under monto, and too large deductions under deductivas', async (t) => {
    const id = await contract({ monto: '9999999999999999.99', iva_porcentaje: '100' })
    const tooLarge = { monto: ['This value is too large for the amounts that are calculated from it.'] }
    t.strictSame((await director.post('estimates/', { contract: id, monto: '5000000000000000.00' })).json(), invalid(tooLarge))
    t.match(await estimate(id, { monto: '4999999999999999.99' }), { neto: '9999999999999999.98' })
    const most = await estimate(id, { monto: '9999999999999999.99', deductivas: '5000000000000000.00' })
    t.match(most, { iva: '4999999999999999.99', neto: '9999999999999999.98', monto_acumulado: '14999999999999999.98' })
    t.strictSame((await send(most['id'], { deductivas: '0' })).json().errors, tooLarge)
    t.strictSame((await send(most['id'], { deductivas: '0' }, 'es')).json().errors, { monto: ['Este valor es demasiado grande para los importes que se calculan a partir de él.'] })
    t.strictSame(Object.keys((await send(most['id'], { monto: '4999999999999999.99' })).json().errors), ['deductivas'])
    t.match(await change(most['id'], { deductivas: '9999999999999999.99' }), { subtotal: '0.00' })
  })
})
