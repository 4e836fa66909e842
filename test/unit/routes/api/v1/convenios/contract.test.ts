import t from 'tap'
import type { Row } from '../../../../../../src/database/connection/sql.ts'
import { agreeing } from '../../../../../support/agreeing.ts'
import { refuses } from '../../../../../support/invalid.ts'

const below = { monto: ['With this change order, the contract would be for less than its authorized amount.'] }
const inUse = { estado: ['Authorized estimates use this amount. Sign the change order, or authorize another one first.'] }
const agreed = 'Signed change orders (convenios) have set this value. Change it with another change order.'
const noTerm = { dias: ['The contract needs a fecha_fin that this change does not move before fecha_inicio or out of the years 0001 to 9999.'] }

t.test('a signature changes the contract', async (t) => {
  const { director, contract, convenio, estimate, to, get, psql } = await agreeing(t)
  const shown = async (id: number) => {
    const { monto, monto_original: original, extra_autorizado: extra, monto_estimado: estimado, por_estimar: left, fecha_fin: end, fecha_fin_original: first } = await get(`contracts/${id}/`)
    return { amounts: [monto, original, extra, estimado, left], ends: [end, first] }
  }
  const amounts = async (id: number) => (await shown(id)).amounts
  const amend = async (id: number, fields: object) => await director.send('PATCH', `contracts/${id}/`, fields)

  await t.test('adds amount and days, raises the version, and is in the feed', async (t) => {
    const id = await contract({ monto: '1100000', fecha_inicio: '2026-01-01', fecha_fin: '2026-06-29' })
    let { cursor, has_more: hasMore } = await get('changes/?resources=contracts&page_size=1000')
    while (hasMore === true) ({ cursor, has_more: hasMore } = await get(`changes/?resources=contracts&cursor=${cursor}`))
    const made = await convenio(id, { monto: '364859.38', dias: 50 })
    t.match(made, { numero: 1, porcentaje_monto: '33.17', porcentaje_dias: '27.78', avisos: ['monto_25', 'aumento_25', 'dias_25'] })
    const { version } = await get(`contracts/${id}/`)
    t.same(await shown(id), { amounts: ['1100000.00', '1100000.00', '0.00', '0.00', '1100000.00'], ends: ['2026-06-29', '2026-06-29'] })
    await to(made['id'], 'enviado')
    await to(made['id'], 'autorizado')
    t.same(await amounts(id), ['1100000.00', '1100000.00', '364859.38', '0.00', '1100000.00'])
    await to(made['id'], 'firmado')
    t.same(await shown(id), { amounts: ['1464859.38', '1100000.00', '0.00', '0.00', '1464859.38'], ends: ['2026-08-18', '2026-06-29'] })
    t.match(await get(`contracts/${id}/`), { version: version + 1 })
    t.match(await get(`convenios/${made['id']}/`), { porcentaje_monto: '33.17', porcentaje_dias: '27.78', avisos: ['monto_25', 'aumento_25', 'dias_25'] })
    const { changes } = await get(`changes/?resources=contracts&cursor=${cursor}`)
    t.match(changes.filter((change: { id: number }) => change.id === id), [{ resource: 'contracts', record: { monto: '1464859.38', fecha_fin: '2026-08-18' } }])
  })

  await t.test('and its history has the user who signed', async (t) => {
    const id = await contract()
    const { id: signed } = await convenio(id, { monto: '5' }, 'firmado')
    const { results } = await get(`history/?contract=${id}&page_size=2`)
    t.match(results.map(({ resource, record, operation, user, fields }: Row) => [resource, record, operation, user.nombre, fields]).sort(), [
      ['contracts', id, 'update', 'Diana Directora', { monto: ['1000.00', '1005.00'] }],
      ['convenios', signed, 'update', 'Diana Directora', { estado: ['autorizado', 'firmado'], fecha_firma: [null, '2026-05-04'] }]
    ])
  })

  await t.test('afterwards a body can give monto and fecha_fin only as they are', async (t) => {
    const id = await contract({ fecha_inicio: '2026-01-01', fecha_fin: '2026-12-31' })
    const other = await convenio(id, { monto: '-100', dias: -10 }, 'autorizado')
    t.equal((await amend(id, { monto: '2000', fecha_fin: '2026-12-30' })).statusCode, 200, 'both can change before the first signature')
    await to(other['id'], 'firmado')
    t.same(await shown(id), { amounts: ['1900.00', '2000.00', '0.00', '0.00', '1900.00'], ends: ['2026-12-20', '2026-12-30'] })
    refuses(t, await amend(id, { monto: '2000.00', fecha_fin: '2026-12-31' }), { monto: [agreed], fecha_fin: [agreed] })
    refuses(t, await amend(id, { fecha_fin: null }), { fecha_fin: [agreed] })
    const spanish = await director.send('PATCH', `contracts/${id}/`, { monto: '2000.00' }, { 'accept-language': 'es' })
    t.same(spanish.json().errors, { monto: ['Los convenios firmados fijaron este valor. Cámbielo con otro convenio.'] })
    t.equal((await amend(id, { monto: '1900', fecha_fin: '2026-12-20', fecha_inicio: '2026-02-01' })).statusCode, 200)
    const whole = await get(`contracts/${id}/`)
    t.equal((await director.send('PUT', `contracts/${id}/`, { ...whole, descripcion: 'Anotado' })).statusCode, 200, 'a record can be sent back')
    const bulk = await director.post('contracts/bulk/', { upsert: 'folio', items: [{ folio: whole['folio'], monto: '1' }] })
    t.same(bulk.json().errors, { 'items.0.monto': [agreed] })
    for (const [change, constraint] of [['monto = 2000', 'contracts_monto_agreed'], ['fecha_fin = null', 'contracts_fecha_fin_agreed']]) {
      await t.rejects(psql(`update contracts set ${change} where id = $1`, [id]), { code: '23514', constraint }, 'nor can psql')
    }
  })

  await t.test('never brings the contract below its authorized amount', async (t) => {
    const id = await contract()
    await estimate(id, { monto: '600' }, 'autorizada')
    const { id: less } = await convenio(id, { monto: '-400.01' }, 'autorizado')
    refuses(t, await to(less, 'firmado'), below)
    const more = await convenio(id, { monto: '0.01' }, 'autorizado')
    t.equal((await to(less, 'firmado')).statusCode, 200, 'ordered extra work counts')
    t.same(await amounts(id), ['599.99', '1000.00', '0.01', '600.00', '-0.01'])
    refuses(t, await to(more['id'], 'cancelado'), inUse)
    const empty = await contract({ monto: '10' })
    const all = await convenio(empty, { monto: '-10.01' }, 'autorizado')
    await convenio(empty, { monto: '100' }, 'autorizado')
    refuses(t, await to(all['id'], 'firmado'), below, 'nor below 0.00')
  })

  await t.test('needs a term that it can change', async (t) => {
    const without = await contract()
    refuses(t, await to((await convenio(without, { dias: 1 }, 'autorizado'))['id'], 'firmado'), noTerm)
    t.equal((await to((await convenio(without, { monto: '1' }, 'autorizado'))['id'], 'firmado')).statusCode, 200, 'an amount needs none')
    const short = await contract({ fecha_inicio: '2026-01-01', fecha_fin: '2026-01-10' })
    refuses(t, await to((await convenio(short, { dias: -10 }, 'autorizado'))['id'], 'firmado'), noTerm)
    t.equal((await to((await convenio(short, { dias: -9 }, 'autorizado'))['id'], 'firmado')).statusCode, 200)
    t.same((await shown(short)).ends, ['2026-01-01', '2026-01-10'])
    const late = await contract({ fecha_fin: '9999-12-30' })
    refuses(t, await to((await convenio(late, { dias: 2 }, 'autorizado'))['id'], 'firmado'), noTerm)
    const large = await contract({ monto: '9999999999999999.99' })
    refuses(t, await to((await convenio(large, { monto: '0.01' }, 'autorizado'))['id'], 'firmado'), { monto: ['This value is too large for the amounts that are calculated from it.'] })
  })

  await t.test('the advance leaves out signed change orders without advance, by the present percentage', async (t) => {
    const id = await contract({ monto: '100000', anticipo_porcentaje: '30' })
    await convenio(id, { monto: '20000' }, 'firmado')
    t.same(await amounts(id), ['120000.00', '100000.00', '0.00', '0.00', '120000.00'])
    t.match(await estimate(id, { monto: '40000' }, 'autorizada'), { amortizacion: '12000.00', subtotal: '28000.00', iva: '4480.00', neto: '32480.00' })
    t.match(await estimate(id, { monto: '80000' }), { amortizacion: '18000.00' }, 'what is left of 30000.00')
    await convenio(id, { monto: '1000', con_anticipo: true }, 'firmado')
    t.match(await estimate(id, { monto: '80000' }), { amortizacion: '18300.00' })
    await convenio(id, { monto: '1000', con_anticipo: true }, 'autorizado')
    t.match(await estimate(id, { monto: '80000' }), { amortizacion: '18300.00' }, 'only a signature changes the advance')
    const other = await contract({ anticipo_porcentaje: '30' })
    const { id: draft } = await estimate(other, { monto: '1000' })
    await amend(other, { anticipo_porcentaje: '10' })
    t.match(await get(`estimates/${draft}/`), { anticipo_porcentaje: '30.00', amortizacion: '100.00' })
  })
})
