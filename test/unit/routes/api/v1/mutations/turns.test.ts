import { randomUUID } from 'node:crypto'
import t from 'tap'
import { requestSlices } from '../../../../../../src/http/slices.ts'
import { build } from '../../../../../support/helper.ts'

t.test('the users of a customer share the turns in which bodies and mutations are read', async (t) => {
  const { as, psql } = await build(t)
  const clients = [await as('director@demo.example'), await as('coordinador@demo.example')]
  const [company] = await psql('select customer_id as customer from companies where id = 1') as [{ customer: number }]
  const { begin } = requestSlices
  const callers: string[] = []
  Object.assign(requestSlices, {
    begin (caller: string) {
      callers.push(caller)
      return begin(caller)
    }
  })
  t.teardown(() => Object.assign(requestSlices, { begin }))
  const descripcion = 'x'.repeat(2000)
  for (const client of clients) {
    const mutations = [{ id: 1, op: 'create', resource: 'contracts', body: { folio: randomUUID(), descripcion } }]
    t.equal((await client.post('mutations/', { device: randomUUID(), mutations })).json().results[0].status, 201)
    t.equal((await client.post('contracts/bulk/', { items: [{ folio: randomUUID(), descripcion }] }, { 'idempotency-key': randomUUID() })).statusCode, 201)
  }
  t.ok(callers.length >= 2 * 4, `${callers.length} computations`)
  t.strictSame([...new Set(callers)], [`customer ${company.customer}`])
})
