import t from 'tap'
import { buildSites } from '../../../../../support/site.ts'

const { server, newSite } = await buildSites(t)
const { as, psql } = server
const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1)

t.test('two phones that add lines at the same time both succeed', async (t) => {
  const site = await newSite([['A', '100', '10'], ['B', '100', '0.335']])
  const estimate = await site.estimate()
  const phones = [await as('coordinador@demo.example'), await as('corporativo@demo.example')]
  const made = await Promise.all(upTo(40).map(async n => await phones[n % 2]?.post('generadores/', { estimate, concepto: site.conceptos[n % 4 < 2 ? 'A' : 'B'], cantidad: '1' })))
  t.strictSame(new Set(made.map(response => response?.statusCode)), new Set([201]))
  t.match(await site.read(estimate), { monto: '206.70', lineas: 2 })
  const ids = made.map(response => response?.json().id)
  const changed = await Promise.all(ids.map(async (id, n) => n % 3 === 0 ? await phones[0]?.send('DELETE', `generadores/${id}/`) : await phones[1]?.send('PATCH', `generadores/${id}/`, { cantidad: '2' })))
  t.strictSame(new Set(changed.map(response => response?.statusCode)), new Set([200, 204]))
  const [{ monto, lineas }] = await psql(`
    select sum(round(l.cantidad * k.precio_unitario, 2))::text as monto, count(*)::int as lineas
    from (select concepto_id, sum(cantidad) as cantidad from generadores where estimate_id = $1 group by 1) l join conceptos k on k.id = l.concepto_id`, [estimate]) as [{ monto: string, lineas: number }]
  t.match(await site.read(estimate), { monto, lineas })
})

t.test('two authorizations in one statement cannot exceed the quantity of a lump sum', async (t) => {
  const together = await newSite([['A', '10', '10', { alzado: true }], ['B', '100', '10']])
  const both = [await together.estimate(), await together.estimate()]
  for (const id of both) {
    await together.measure(id, 'A', '6')
    await together.patch(id, { estado: 'enviada' })
  }
  await t.rejects(psql("update estimates set estado = 'autorizada' where id = any ($1)", [both]), { code: '23514', constraint: 'estimates_quantity_exceeded' })
})
