import t from 'tap'
import type { Row } from '../../src/database/connection/sql.ts'
import { historyStatement } from '../../src/domain/history/statement.ts'
import { buildChildren } from './server.ts'
import { children } from './resources.ts'

t.test('the drafted migration of a child writes its history: sums, effects and cascades too', async (t) => {
  const { as, psql, app } = await buildChildren(t)
  const director = await as('director@demo.example')
  const [{ id: user }] = await psql("select id from users where email = 'director@demo.example'") as [{ id: number }]
  const { id: edificio } = (await director.post('edificios/', { contract: 1, nombre: 'N' })).json()
  const line = async (clave: string) => (await director.post('renglones/', { edificio, clave, cantidad: '2', precio_unitario: '1.50' })).json()
  const first = await line('A')
  await line('B')
  await director.post('abonos/', { edificio, importe: '6.00' })
  const abono = await psql('select id from abonos')
  if (abono.length > 0) await psql('delete from abonos')
  await psql("update edificios set estado = 'abierta'")
  t.equal((await director.send('DELETE', `edificios/${edificio}/`)).statusCode, 204)

  const query = historyStatement(children, { owner: 'company', conditions: [] }, false)
  const [rows] = await app.database.sql.within([1], 'read only', [{ text: query.text, values: [[1], [100]] }])
  const found = (rows ?? []).reverse().filter(({ resource }) => ['edificios', 'renglones', 'abonos'].includes(resource)).map((row): Row => ({ ...row, present: JSON.parse(row['present']) }))
  t.match(found.slice(0, 4), [
    { resource: 'edificios', operation: 'insert', caller: user, present: { contract: 1, monto: '0.00' } },
    { resource: 'renglones', operation: 'insert', caller: user, present: { edificio, contract: 1, cantidad: '2.0000', precio_unitario: first.precio_unitario, importe: '3.00' } },
    { resource: 'edificios', operation: 'update', caller: user, present: { monto: '3.00' }, columns: ['monto'] },
    { resource: 'renglones', operation: 'insert', caller: user }
  ], 'the cause comes before its consequence')
  const deleted = found.filter(({ operation }) => operation === 'delete')
  t.match(deleted.filter(({ resource }) => resource !== 'abonos').map(({ resource, caller }) => [resource, caller]).sort(), [['edificios', user], ['renglones', user], ['renglones', user]])
})
