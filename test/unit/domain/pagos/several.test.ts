import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { refuses } from '../../../support/invalid.ts'
import { notDue, notPayable, payment, paying } from '../../../support/paying.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'

t.test('payments of an estimate', async (t) => {
  const { director, contract, read, psql, due, state, paymentsOf } = await paying(t)

  await t.test('of one bulk are accepted up to what is left', async (t) => {
    const [one, two] = [await due('100'), await due('50')]
    const items = (...amounts: Array<[Row, string]>) => amounts.map(([of, importe], index) => payment(of['id'], importe, { external_id: `lote-${one['id']}-${index}` }))
    const bulk = async (body: object) => await director.post('pagos/bulk/', body)
    refuses(t, await bulk({ items: items([one, '60'], [two, '50'], [one, '40.01']) }), { 'items.2.importe': notDue.importe })
    refuses(t, await bulk({ items: items([one, '100'], [one, '1']) }), { 'items.1.estimate': notPayable.estimate })
    t.strictSame([await state(one['id']), await state(two['id'])], [['0.00', '100.00', 'autorizada'], ['0.00', '50.00', 'autorizada']])
    const partial = (await bulk({ items: items([one, '60'], [one, '50'], [one, '40'], [two, '-1']), partial: true })).json().results
    t.match(partial, [{ importe: '60.00' }, { codes: { importe: ['not_due'] } }, { importe: '40.00' }, { codes: { importe: ['not_due'] } }])
    t.strictSame(await state(one['id']), ['100.00', '0.00', 'pagada'])
    const many = await bulk({ items: Array.from({ length: 500 }, () => payment(two['id'], '0.10')) })
    t.equal(many.statusCode, 201, many.body.slice(0, 300))
    t.strictSame([await state(two['id']), (await read(two['id']))['version']], [['50.00', '0.00', 'pagada'], two['version'] + 1], 'one change of the estimate')
    const upserted = await bulk({ upsert: 'external_id', items: [{ ...items([one, '60'])[0], referencia: 'Corregida' }] })
    t.match(upserted.json().results, [{ id: partial[0].id, referencia: 'Corregida' }])
    t.same(await wrongSums(psql), [])
  })

  await t.test('can be made offline, also with refs to their estimate', async (t) => {
    const { id } = await due('30')
    const device = randomUUID()
    let next = 0
    const run = async (...mutations: object[]) => (await director.post('mutations/', { device, mutations: mutations.map(mutation => ({ id: ++next, ...mutation })) })).json().results
    const body = (importe: string) => ({ estimate: id, importe, fecha: '2026-04-15' })
    const [first, second, third] = await run({ op: 'create', resource: 'pagos', ref: 'p1', body: body('10') }, { op: 'create', resource: 'pagos', body: body('20') }, { op: 'create', resource: 'pagos', body: body('1') })
    t.match([first.status, second.status, third], [201, 201, { status: 400, codes: { estimate: ['not_payable'] } }])
    t.match(await run({ op: 'update', resource: 'pagos', record: first.record.id, base: { referencia: '' }, body: { referencia: 'SPEI 2' } }, { op: 'delete', resource: 'pagos', record: { ref: 'p1' } }, { op: 'update', resource: 'estimates', record: id, body: { estado: 'pagada' } }), [{ status: 200 }, { status: 204 }, { status: 200, record: { id } }])
    t.strictSame(await state(id), ['30.00', '0.00', 'pagada'])
    t.match(await paymentsOf(id), [{ importe: '20.00' }, { importe: '10.00', fecha: null }])
    const of = await contract({ monto: '10', iva_porcentaje: '0' })
    const all = await run({ op: 'create', resource: 'estimates', ref: 'e1', body: { contract: of, monto: '10' } }, ...['enviada', 'autorizada'].map(estado => ({ op: 'update', resource: 'estimates', record: { ref: 'e1' }, body: { estado } })), { op: 'create', resource: 'pagos', body: { ...body('10'), estimate: { ref: 'e1' } } })
    t.strictSame(all.map(({ status }: { status: number }) => status), [201, 200, 200, 201])
    t.strictSame((await state(all[0].record.id))[2], 'pagada')
  })
})
