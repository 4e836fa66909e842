import t from 'tap'
import { estimating } from '../../../support/estimating.ts'
import { refuses } from '../../../support/invalid.ts'
import { succeeded } from '../../../support/succeeded.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'

const exceeds = { anticipo: ['The advance documents of the contract would add up to more than its agreed advance.'] }
const noWork = ['This estimate has no work: its monto is 0.00 and it has no generadores.']

t.test('documents that deliver the advance of a contract', async (t) => {
  const { director, contract, estimate, change, send, read, psql } = await estimating(t)
  const authorize = async (id: number) => {
    await change(id, { estado: 'enviada' })
    return await change(id, { estado: 'autorizada' })
  }

  await t.test('the worked example: an advance that is delivered in part, and payments', async (t) => {
    const of = await contract({ monto: '500000', anticipo_porcentaje: '20' })
    const first = await estimate(of, { tipo: 'anticipo', anticipo: '60000' })
    t.match(await authorize(first['id']), {
      tipo: 'anticipo',
      numero: 1,
      monto: '0.00',
      anticipo: '60000.00',
      amortizacion: '0.00',
      retencion: '0.00',
      subtotal: '60000.00',
      iva: '9600.00',
      derechos: '0.00',
      neto: '69600.00',
      por_pagar: '69600.00',
      monto_acumulado: '0.00'
    })
    const second = await estimate(of, { tipo: 'anticipo', anticipo: '40000.01' }, 'enviada')
    t.equal(second['numero'], 2)
    refuses(t, await send(second['id'], { estado: 'autorizada' }), exceeds)
    const work = await estimate(of, { monto: '350000' })
    t.match(work, { tipo: 'ordinaria', numero: 1, anticipo: '0.00', amortizacion: '60000.00' }, 'follows the documents before its authorization too')
    t.match(await authorize(work['id']), { amortizacion: '60000.00', subtotal: '290000.00', iva: '46400.00', neto: '336400.00', monto_acumulado: '350000.00' })
    const pay = async (importe: string) => await director.post('pagos/', { estimate: work['id'], importe, fecha: '2026-04-15' })
    const state = async () => {
      const { pagado, por_pagar: left, estado } = await read(work['id'])
      return [pagado, left, estado]
    }
    const { id: returned } = succeeded(await pay('200000'))
    t.same(await state(), ['200000.00', '136400.00', 'autorizada'])
    refuses(t, await pay('136400.01'), { importe: ['A payment must have the sign of por_pagar and be at most as large.'] })
    succeeded(await pay('136400'))
    t.same(await state(), ['336400.00', '0.00', 'pagada'])
    await director.send('DELETE', `pagos/${returned}/`)
    t.same(await state(), ['136400.00', '200000.00', 'autorizada'])
    await change(work['id'], { estado: 'pagada' })
    t.same(await state(), ['336400.00', '0.00', 'pagada'])
    t.same(await wrongSums(psql), [])
  })

  await t.test('up to the agreed advance together, also in one bulk', async (t) => {
    const of = await contract({ monto: '500000', anticipo_porcentaje: '20' })
    const made = []
    for (const [index, anticipo] of ['60000', '40000', '0.01'].entries()) made.push(await estimate(of, { tipo: 'anticipo', anticipo, external_id: `a-${index}` }, 'enviada'))
    t.same(made.map(({ numero }) => numero), [1, 2, 3])
    const items = made.map(one => ({ contract: of, external_id: one['external_id'], estado: 'autorizada' }))
    const bulk = await director.post('estimates/bulk/', { upsert: 'external_id', items })
    refuses(t, bulk, { 'items.2.anticipo': exceeds.anticipo })
    const partial = await director.post('estimates/bulk/', {
      upsert: 'external_id', partial: true, items
    })
    t.match(partial.json().results, [{ estado: 'autorizada' }, { estado: 'autorizada' }, { errors: exceeds }])
    t.match(await change(made[1]?.['id'] as number, { estado: 'enviada' }), { estado: 'enviada', neto: '46400.00', anticipo: '40000.00' }, 'undone')
    t.equal((await estimate(of, { monto: '400000' }))['amortizacion'], '60000.00')
    t.equal((await authorize(made[2]?.['id'] as number))['neto'], '0.01', 'fits now')
    t.same(await wrongSums(psql), [])
  })

  await t.test('have neither work nor retention, and only they have an advance', async (t) => {
    const of = await contract({ anticipo_porcentaje: '50', retencion_porcentaje: '10', derechos_porcentaje: '0.5' })
    const post = async (fields: object) => await director.post('estimates/', { contract: of, ...fields })
    refuses(t, await post({ tipo: 'anticipo', anticipo: '1', monto: '1' }), { monto: noWork })
    refuses(t, await post({ tipo: 'anticipo' }), { anticipo: ['Ensure this value is greater than or equal to 0.01.'] })
    refuses(t, await post({ anticipo: '1' }), { anticipo: ['Only an estimate of tipo "anticipo" delivers an advance.'] })
    t.same((await post({ tipo: 'otra' })).statusCode, 400)
    const { id } = await estimate(of, { tipo: 'anticipo', anticipo: '100' })
    t.match(await read(id), { retencion: '0.00', derechos: '0.00', neto: '116.00' })
    refuses(t, await send(id, { tipo: 'ordinaria' }), { tipo: ['This field cannot be changed.'] })
    refuses(t, await send(id, { monto: '5' }), { monto: noWork })
    t.match((await send(id, { monto: '5' }, 'es')).json().errors, { monto: ['Esta estimación no tiene trabajos: su monto es 0.00 y no tiene generadores.'] })
    t.match(await change(id, { anticipo: '120', deductivas: '20' }), { subtotal: '100.00' })
    t.match((await send(id, { deductivas: '120.01' })).json().errors, { deductivas: [/^The subtotal or neto would be less than zero/] })
    const put = { ...await read(id), descripcion: 'Segunda entrega' }
    t.match(succeeded(await director.send('PUT', `estimates/${id}/`, put)), { descripcion: 'Segunda entrega', anticipo: '120.00' })
    const concepto = succeeded(await director.post('conceptos/', { contract: of, clave: 'A', unidad: 'm', cantidad: '10', precio_unitario: '100' })).id
    for (const language of ['en', 'es']) {
      const refused = await director.post('generadores/', { estimate: id, concepto, cantidad: '1' }, { 'accept-language': language })
      t.match([refused.statusCode, Object.keys(refused.json().errors ?? {})], [400, ['estimate']])
    }
    await change(id, { estado: 'enviada' })
    t.equal((await send(id, { anticipo: '110' })).statusCode, 409)
  })

  await t.test('have their own numbers, and the last one of each can be deleted', async (t) => {
    const of = await contract({ anticipo_porcentaje: '50' })
    const items = ['anticipo', 'ordinaria', 'anticipo', 'ordinaria', 'ordinaria'].map(tipo => ({ contract: of, tipo, ...tipo === 'anticipo' ? { anticipo: '1' } : { monto: '10' } }))
    const { results } = succeeded(await director.post('estimates/bulk/', { items }))
    t.same(results.map(({ numero, monto_acumulado: sum }: Record<string, unknown>) => [numero, sum]), [[1, '0.00'], [1, '10.00'], [2, '0.00'], [2, '20.00'], [3, '30.00']])
    const remove = async (index: number) => (await director.send('DELETE', `estimates/${results[index].id}/`)).statusCode
    t.same([await remove(0), await remove(1), await remove(2), await remove(4), await remove(0), await remove(3)], [409, 409, 204, 204, 204, 204])
    t.match(await estimate(of, { tipo: 'anticipo', anticipo: '1' }), { numero: 1 })
    const listed = await director.get(`estimates/?contract=${of}&tipo=anticipo`)
    t.match(listed.json(), { count: 1, results: [{ tipo: 'anticipo' }] })
    t.equal((await director.get('estimates/?tipo=otra')).statusCode, 400)
    t.same(await wrongSums(psql), [])
  })

  await t.test('the database refuses the same', async (t) => {
    const of = await contract({ anticipo_porcentaje: '50' })
    const constraintOf = async (text: string) => await psql(text).then(() => undefined, ({ constraint }) => constraint)
    const insert = (fields: string, values: string) => `insert into estimates (company_id, contract_id, ${fields}) values (1, ${of}, ${values})`
    t.equal(await constraintOf(insert('tipo, anticipo, monto', "'anticipo', 1, 1")), 'estimates_no_work_check')
    t.equal(await constraintOf(insert('tipo', "'anticipo'")), 'estimates_advance_check')
    t.equal(await constraintOf(insert('anticipo', '1')), 'estimates_advance_check')
    t.equal(await constraintOf(insert('tipo', "'otra'")), 'estimates_tipo_check')
    t.equal(await constraintOf(insert('tipo, anticipo, estado', "'anticipo', 500.01, 'autorizada'")), 'estimates_within_advance')
    t.equal(await constraintOf(`insert into estimates (company_id, contract_id, tipo, anticipo, estado)
      select 1, ${of}, 'anticipo', 300, 'autorizada' from generate_series(1, 2)`), 'estimates_within_advance', 'two rows of one statement')
    await psql(insert('tipo, anticipo, estado', "'anticipo', 300, 'autorizada'"))
    await psql(insert('tipo, anticipo, estado', "'anticipo', 300, 'enviada'"))
    t.equal(await constraintOf(`update estimates set estado = 'autorizada' where contract_id = ${of} and estado = 'enviada'`), 'estimates_within_advance')
    t.equal(await constraintOf(`update estimates set tipo = 'ordinaria' where contract_id = ${of}`), 'estimates_tipo_fixed')
    t.equal(await constraintOf(`update estimates set anticipo = 2 where contract_id = ${of} and estado = 'autorizada'`), 'estimates_fixed')
    t.same(await wrongSums(psql), [])
  })
})
