import { randomUUID } from 'node:crypto'
import t from 'tap'
import { payment, paying } from '../../../support/paying.ts'

t.test('payments of an estimate', async (t) => {
  const { director, as, contract, estimate, change, read, due, paid, state } = await paying(t)

  await t.test('change version, feed and history of the estimate, by their caller', async (t) => {
    const { id, version, contract: of } = await due('10')
    const corporativo = await as('corporativo@demo.example')
    const feed = (await director.get(`changes/?contracts=${of}&resources=estimates,pagos`)).json()
    const made = (await corporativo.post('pagos/', payment(id, '10'))).json()
    t.match(await read(id), { version: version + 1, estado: 'pagada' })
    const page = (await director.get(`changes/?cursor=${feed.cursor}`)).json()
    t.match(page.changes.map(({ resource, record }: Record<string, any>) => [resource, record.pagado ?? record.importe]), [['pagos', '10.00'], ['estimates', '10.00']])
    t.notOk('por_pagar' in page.changes[1].record, 'a computed value is not stored')
    const entries = (await director.get(`history/?contract=${of}&page_size=2`)).json().results
    t.match(entries, [
      { resource: 'estimates', record: id, operation: 'update', user: { nombre: /./ }, fields: { pagado: ['0.00', '10.00'], estado: ['autorizada', 'pagada'] } },
      { resource: 'pagos', record: made.id, operation: 'insert', fields: { estimate: id, contract: of, importe: '10.00', fecha: '2026-04-15' } }
    ])
    t.equal(entries[0].user.id, entries[1].user.id)
    t.not(entries[0].user.id, (await director.get('me/')).json().id)
    t.equal((await corporativo.send('DELETE', `pagos/${made.id}/`)).statusCode, 204)
    await change(id, { estado: 'pagada' })
    const [recorded, change1, reopened, removed] = (await director.get(`history/?contract=${of}&page_size=4`)).json().results
    const me = (await director.get('me/')).json().id
    t.match([recorded, change1], [{ resource: 'pagos', operation: 'insert', user: { id: me } }, { resource: 'estimates', user: { id: me }, fields: { pagado: ['0.00', '10.00'], estado: ['autorizada', 'pagada'] } }], 'the recorded payment has the caller of the change')
    t.match([reopened.resource, removed.resource, reopened.user.id], ['estimates', 'pagos', entries[0].user.id])
  })

  await t.test('are found by estimate, contract, day and reference; estimates by what is left to pay', async (t) => {
    const of = await contract({ monto: '1000', iva_porcentaje: '0' })
    const [one, two, none, zero, draft] = [await estimate(of, { monto: '10' }, 'autorizada'), await estimate(of, { monto: '20' }, 'autorizada'), await estimate(of, { monto: '30' }, 'pagada'), await estimate(of, { monto: '0' }, 'autorizada'), await estimate(of, { monto: '5' })]
    await paid(one['id'], '4', { fecha: '2026-01-31', referencia: 'Transferencia Núm. 5' })
    await paid(one['id'], '6', { fecha: '2026-02-01' })
    await paid(two['id'], '7', { fecha: '2026-03-01' })
    const amounts = async (query: string) => (await director.get(`pagos/?contract=${of}&${query}`)).json().results.map(({ importe }: { importe: string }) => importe)
    t.strictSame(await amounts('ordering=-importe'), ['30.00', '7.00', '6.00', '4.00'])
    t.strictSame(await amounts('ordering=fecha'), ['4.00', '6.00', '7.00', '30.00'], 'without a day last')
    t.strictSame(await amounts('fecha_desde=2026-02-01&ordering=importe'), ['6.00', '7.00'])
    t.strictSame(await amounts('fecha_desde=2026-01-31&fecha_hasta=2026-02-01&ordering=importe'), ['4.00', '6.00'])
    t.strictSame(await amounts(`estimate=${two['id']}`), ['7.00'])
    t.strictSame(await amounts('search=transferencia num 5'), ['4.00'])
    const pending = async (value: string) => (await director.get(`estimates/?contract=${of}&pendiente_pago=${value}&ordering=numero`)).json()
    t.strictSame((await pending('true')).results.map(({ id }: { id: number }) => id), [two['id']])
    t.strictSame((await pending('false')).results.map(({ id }: { id: number }) => id), [one, none, zero, draft].map(({ id }) => id))
    t.equal((await director.get('estimates/?pendiente_pago=quizá')).statusCode, 400)
    t.match(await read(draft['id']), { pagado: '0.00', por_pagar: '0.00' }, 'of an estimate that is not authorized: nothing')
  })

  await t.test('one Idempotency-Key pays once', async (t) => {
    const { id } = await due('30')
    const key = { 'idempotency-key': randomUUID() }
    const [one, again] = [await director.post('pagos/', payment(id, '10'), key), await director.post('pagos/', payment(id, '10'), key)]
    t.strictSame([one.statusCode, again.json()], [201, one.json()])
    t.strictSame(await state(id), ['10.00', '20.00', 'autorizada'])
  })
})
