import t from 'tap'
import { messages } from '../../../../src/http/messages.ts'
import { None } from '../../../support/none.ts'
import { refuses } from '../../../support/invalid.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'
import { charge, moving } from './moving.ts'

const exactlyOne = { importe: ['Give either importe or porcentaje, and null for the other.'] }
const notDraft = { detail: messages.en.estimateNotDraft, code: 'conflict' }

t.test('movements of an estimate', async (t) => {
  const { director, contract, estimate, send, change, post, move, patch, movement, authorize, read, psql } = await moving(t)
  const remove = async (id: number) => (await director.send('DELETE', `movimientos/${id}/`)).statusCode

  await t.test('have an amount or a percentage', async (t) => {
    const { id } = await estimate(await contract(), { monto: '100' })
    for (const fields of [{}, { importe: null }, { importe: null, porcentaje: null }, { importe: '1', porcentaje: '1' }, { importe: '0', porcentaje: '1' }]) refuses(t, await post(id, fields), exactlyOne)
    t.strictSame((await post(id, {}, 'es')).json().errors, { importe: ['Indique importe o porcentaje, y null en el otro.'] })
    refuses(t, await post(id, { importe: '0.00' }), { importe: ['Ensure this value is greater than or equal to 0.01.'] })
    for (const [fields, field] of [[{ importe: '-1' }, 'importe'], [{ porcentaje: '-1' }, 'porcentaje'], [{ porcentaje: '1000' }, 'porcentaje'], [{ porcentaje: '1.0000001' }, 'porcentaje']] as const) {
      t.strictSame(Object.keys((await post(id, fields)).json().errors), [field], JSON.stringify(fields))
    }
    for (const base of ['subtotal', 'iva']) refuses(t, await post(id, { porcentaje: '1', base, antes_iva: true }), { base: ['Before tax (antes_iva), a percentage can only be of "monto".'] })
    refuses(t, await director.post('movimientos/', { estimate: id, importe: '1' }), Object.fromEntries(['tipo', 'motivo', 'antes_iva'].map(field => [field, ['This field is required.']])))
    t.strictSame((await director.get(`movimientos/?estimate=${id}`)).json().count, 0)
  })

  await t.test('change the amounts of a draft, and its version', async (t) => {
    const { id, version } = await estimate(await contract({ derechos_porcentaje: '1' }), { monto: '100' })
    t.match(await read(id), { cargos_antes_iva: '0.00', subtotal: '100.00', iva: '16.00', derechos: '1.00', cargos_despues_iva: '0.00', neto: '115.00' })
    const fixed = await move(id, { antes_iva: true, importe: '10' })
    t.match(fixed, { estimate: id, sentido: 'cargo', importe: '10.00', porcentaje: null, base: 'monto', version: 1 })
    t.match(await read(id), { cargos_antes_iva: '10.00', subtotal: '90.00', iva: '14.40', neto: '103.40', version: version + 1 })
    const part = await move(id, { porcentaje: '10', base: 'subtotal' })
    t.match(part, { importe: '9.00', porcentaje: '10.000000' })
    t.match(await read(id), { cargos_despues_iva: '9.00', neto: '94.40', por_pagar: '0.00', version: version + 2 })
    await change(id, { monto: '200' })
    t.match(await movement(part['id']), { importe: '19.00', version: 1 }, 'a percentage follows the estimate')
    t.match((await patch(fixed['id'], { importe: '20' })).json(), { importe: '20.00', version: 2 })
    t.match((await director.get(`movimientos/?estimate=${id}&ordering=id`)).json().results, [{ importe: '20.00' }, { importe: '18.00' }])
    t.match((await patch(part['id'], { antes_iva: true, base: 'monto' })).json(), { importe: '20.00' })
    t.match(await read(id), { cargos_antes_iva: '40.00', cargos_despues_iva: '0.00', subtotal: '160.00' })
    t.equal(await remove(part['id']), 204)
    t.equal(await remove(fixed['id']), 204)
    t.match(await read(id), { cargos_antes_iva: '0.00', subtotal: '200.00', neto: '230.00', version: version + 7 })
    t.same(await wrongSums(psql), [])
  })

  await t.test('take a percentage of nothing from a negative amount', async (t) => {
    const { id } = await estimate(await contract(), { monto: '100' })
    await move(id, { antes_iva: true, importe: '150' })
    t.match(await move(id, { porcentaje: '10', base: 'subtotal' }), { importe: '0.00' })
    t.match(await read(id), { subtotal: '-50.00', iva: '-8.00', cargos_despues_iva: '0.00', neto: '-58.00' }, 'a draft with movements can be anything')
    refuses(t, await send(id, { estado: 'enviada' }), { deductivas: ['The subtotal or neto would be less than zero: monto has to cover amortizacion, retencion, deductivas, derechos and the charges of movimientos.'] })
    t.match(await change(id, { monto: '120', deductivas: '5' }), { subtotal: '-35.00' })
  })

  await t.test('are fixed by the authorization, and follow again after its undo', async (t) => {
    const of = await contract({ retencion_porcentaje: '10', retencion_antes_iva: false })
    const { id } = await estimate(of, { monto: '100' })
    const [fixed, part, tax] = [await move(id, { importe: '7' }), await move(id, { porcentaje: '10', base: 'subtotal' }), await move(id, { tipo: 'impuesto', porcentaje: '50', base: 'iva' })]
    const authorized = await authorize(id)
    t.match(authorized, { retencion: '10.00', subtotal: '100.00', iva: '16.00', cargos_despues_iva: '25.00', neto: '81.00' })
    t.match(await movement(part['id']), { importe: '10.00', porcentaje: '10.000000', version: 2 })
    t.match(await movement(fixed['id']), { importe: '7.00', version: 1 })
    for (const request of [post(id, { importe: '1' }), post(id, {}), patch(part['id'], { porcentaje: '20' }), patch(part['id'], { importe: '3' }), patch(fixed['id'], { motivo: 'Otro' }), director.send('DELETE', `movimientos/${tax['id']}/`)]) {
      const response = await request
      t.strictSame([response.statusCode, response.json()], [409, notDraft])
    }
    t.match((await patch(part['id'], { external_id: 'ISR-1' })).json(), { importe: '10.00', external_id: 'ISR-1' })
    const shown = await movement(part['id'])
    t.match((await director.send('PUT', `movimientos/${part['id']}/`, shown)).json(), { importe: '10.00', version: shown['version'] })
    t.match(await psql('select tipo, antes_iva, tomado from movement_sums where contract_id = $1 order by tipo', [of]), [
      { tipo: 'fondo_garantia', antes_iva: false, tomado: '10.00' }, { tipo: 'impuesto', tomado: '8.00' }, { tipo: 'pena', tomado: '17.00' }
    ])
    t.same(await wrongSums(psql), [])

    t.match(await change(id, { estado: 'enviada' }), { cargos_despues_iva: '25.00', neto: '81.00' })
    t.same(await psql('select importe from movimientos where id = $1', [part['id']]), [{ importe: null }])
    await change(id, { estado: 'borrador' })
    await change(id, { monto: '200' })
    t.match(await movement(part['id']), { importe: '20.00', version: shown['version'] + 1 })
    t.match(await read(id), { retencion: '20.00', cargos_despues_iva: '43.00' })
    t.same(await wrongSums(psql), [])
  })

  await t.test('a change sends back what it read', async (t) => {
    const { id } = await estimate(await contract(), { monto: '100' })
    const part = await move(id, { porcentaje: '10' })
    const put = async (fields: object) => await director.send('PUT', `movimientos/${part['id']}/`, { ...part, ...fields })
    t.match((await put({ motivo: 'Corregido' })).json(), { motivo: 'Corregido', importe: '10.00', porcentaje: '10.000000', version: 2 })
    t.match((await put({ motivo: 'Corregido', porcentaje: '20' })).json(), { importe: '20.00', version: 3 })
    refuses(t, await put({ importe: '11' }), exactlyOne)
    refuses(t, await patch(part['id'], { importe: '5' }), exactlyOne)
    refuses(t, await patch(part['id'], { porcentaje: null }), exactlyOne)
    const bulk = await director.post('movimientos/bulk/', { upsert: 'external_id', items: [{ ...charge, estimate: id, external_id: 'M-1', porcentaje: '5' }, { ...charge, estimate: id, external_id: 'M-2', importe: '5' }] })
    const [first, second] = bulk.json().results
    const again = await director.post('movimientos/bulk/', { upsert: 'external_id', items: [{ ...first, motivo: 'Otro' }, second] })
    t.match(again.json().results, [{ id: first.id, motivo: 'Otro', importe: '5.00', version: 2 }, { ...second }])
    t.same(await psql('select importe from movimientos where id = $1', [first.id]), [{ importe: null }], 'the bulk stores no amount of a percentage')
    t.match((await patch(part['id'], { porcentaje: null, importe: '20.00' })).json(), { importe: '20.00', porcentaje: null })
    await change(id, { monto: '1000' })
    t.match(await movement(part['id']), { importe: '20.00' }, 'now a fixed amount')
    t.match((await patch(part['id'], { porcentaje: '3', importe: null })).json(), { importe: '30.00', porcentaje: '3.000000' })
    refuses(t, await patch(second.id, { porcentaje: '3' }), exactlyOne)
  })

  await t.test('copies of the contract reach new estimates only', async (t) => {
    const of = await contract({ monto: '1000', derechos_porcentaje: '0.50' })
    const { id } = await estimate(of, { monto: '100' })
    t.match((await director.send('PATCH', `contracts/${of}/`, { derechos_porcentaje: '1', retencion_antes_iva: false })).json(), { derechos_porcentaje: '1.00', retencion_antes_iva: false })
    t.match(await read(id), { derechos_porcentaje: '0.50', retencion_antes_iva: true, derechos: '0.50' })
    t.match(await estimate(of, { monto: '100' }), { derechos_porcentaje: '1.00', retencion_antes_iva: false, derechos: '1.00' })
    await t.rejects(psql('update estimates set derechos_porcentaje = 2 where id = $1', [id]), { code: '23514', constraint: 'estimates_identity' })
    await t.rejects(psql('update estimates set retencion_antes_iva = false where id = $1', [id]), { code: '23514', constraint: 'estimates_identity' })
  })

  await t.test('are deleted with their draft', async (t) => {
    const { id } = await estimate(await contract(), { monto: '100' })
    const { id: of } = await move(id, { importe: '1' })
    await move(id, { porcentaje: '1' })
    t.equal((await director.send('DELETE', `estimates/${id}/`)).statusCode, 204)
    t.equal((await director.get(`movimientos/${of}/`)).statusCode, 404)
    t.same(await psql('select from movimientos where estimate_id = $1', [id]), [])
  })

  await t.test('have at most 1,000 percentages', async (t) => {
    const { id } = await estimate(await contract(), { monto: '100' })
    const items = Array.from({ length: 1000 }, () => ({ ...charge, estimate: id, porcentaje: '0.01' }))
    const bulk = await director.post('movimientos/bulk/', { items })
    t.equal(bulk.statusCode, 201, bulk.body.slice(0, 300))
    t.match(await read(id), { cargos_despues_iva: '10.00' })
    refuses(t, await post(id, { porcentaje: '0.01' }), { porcentaje: ['An estimate may have at most 1,000 movements with a percentage.'] })
    t.equal((await post(id, { importe: '1' })).statusCode, 201)
    t.match(await authorize(id), { cargos_despues_iva: '11.00' })
    t.same(await wrongSums(psql), [])
  })

  await t.test('are too large together', async (t) => {
    const { id } = await estimate(await contract({ monto: '9999999999999999.99', iva_porcentaje: '0' }), { monto: '9000000000000000' })
    await move(id, { importe: '9000000000000000' })
    refuses(t, await post(id, { importe: '9000000000000000' }), { importe: ['With this amount, the sum that it is part of would be too large.'] })
    for (const porcentaje of ['100', '99.999999']) await move(id, { porcentaje })
    refuses(t, await send(id, { estado: 'enviada' }), {
      deductivas: ['The subtotal or neto would be less than zero: monto has to cover amortizacion, retencion, deductivas, derechos and the charges of movimientos.'], monto: ['This value is too large for the amounts that are calculated from it.']
    })
    t.match((await read(id))['avisos'], None)
  })
})
