import t from 'tap'
import { buildSites } from '../../../support/site.ts'

const { newSite } = await buildSites(t)

t.test('a contract has at most 100 rows with one clave', async (t) => {
  const { client, contract } = await newSite([['A', '1', '10']])
  const orders: Array<{ id: number }> = (await client.post('convenios/bulk/', { items: Array.from({ length: 101 }, () => ({ contract })) })).json().results
  const rows = (clave: string, from: number, to: number) => orders.slice(from, to).map(({ id }) => ({ contract, convenio: id, clave, unidad: 'm3', cantidad: '1', precio_unitario: '10' }))
  const [last] = rows('A', 100, 101)

  const all = await client.post('conceptos/bulk/', { items: rows('A', 0, 100) })
  t.strictSame([all.statusCode, all.json().codes], [400, { 'items.99.clave': ['too_many'] }])
  const partial = await client.post('conceptos/bulk/', { partial: true, items: rows('A', 0, 100) })
  t.equal(partial.statusCode, 200)
  const { results } = partial.json()
  t.strictSame(results.map(({ codes }: { codes?: object }) => codes).filter(Boolean), [{ clave: ['too_many'] }])
  t.strictSame(results[99].errors, { clave: ['A contract can have at most 100 rows with the same clave. Use another clave.'] })
  t.strictSame((await client.post('conceptos/', last)).json().codes, { clave: ['too_many'] })

  const { id: other } = (await client.post('conceptos/', { ...last, clave: 'B' })).json()
  const renamed = async () => await client.send('PATCH', `conceptos/${other}/`, { clave: 'A' })
  t.strictSame((await renamed()).json().codes, { clave: ['too_many'] })
  t.equal((await client.send('PATCH', `conceptos/${results[0].id}/`, { cantidad: '2' })).statusCode, 200, 'the 100 rows can change')
  t.equal((await client.send('DELETE', `conceptos/${results[0].id}/`)).statusCode, 204)
  t.equal((await renamed()).statusCode, 200)
})
