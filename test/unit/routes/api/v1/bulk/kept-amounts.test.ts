import t from 'tap'
import { buildSites } from '../../../../../support/site.ts'

const { newSite } = await buildSites(t)

t.test('a contract whose lines exceed it by a cent can change, in a bulk too', async (t) => {
  const { client, contract, estimate, measure, authorize } = await newSite([['A', '3', '0.335']], { external_id: 'CENTAVO' })
  for (let n = 1; n <= 3; n++) {
    const id = await estimate()
    await measure(id, 'A', '1')
    await authorize(id)
  }
  const record = (await client.get(`contracts/${contract}/`)).json()
  t.match(record, { monto: '1.01', monto_estimado: '1.02' })
  const upserted = await client.post('contracts/bulk/', { upsert: 'external_id', items: [{ ...record, descripcion: 'Losa' }] })
  t.match([upserted.statusCode, upserted.json()], [201, { results: [{ monto: '1.01', descripcion: 'Losa' }] }])
  const wrong = await client.send('PATCH', `contracts/${contract}/`, { fecha_fin: 'mañana' })
  t.strictSame([wrong.statusCode, wrong.json().codes], [400, { fecha_fin: ['invalid'] }])
})

t.test('a sent estimate whose amount a new price makes negative can change, in a bulk too', async (t) => {
  const { client, conceptos, estimate, measure, patch, read } = await newSite([['A', '10', '10'], ['B', '10', '1']])
  const id = await estimate({ external_id: 'NEGATIVA' })
  await measure(id, 'A', '10')
  await measure(id, 'B', '-5')
  t.equal((await patch(id, { estado: 'enviada' })).statusCode, 200)
  t.equal((await client.send('PATCH', `conceptos/${conceptos['B']}/`, { precio_unitario: '100' })).statusCode, 200)
  const record = await read(id)
  t.match(record, { monto: '-400.00', estado: 'enviada' })
  const upserted = await client.post('estimates/bulk/', { upsert: 'external_id', items: [{ ...record, descripcion: 'Corregida' }] })
  t.match([upserted.statusCode, upserted.json()], [201, { results: [{ monto: '-400.00', descripcion: 'Corregida' }] }])
  t.strictSame((await patch(id, { factura_uuid: 'x' })).json().codes, { factura_uuid: ['invalid'] })
  t.strictSame((await patch(id, { estado: 'autorizada' })).json().codes['monto'], ['min_value'])
  t.equal((await patch(id, { estado: 'borrador' })).statusCode, 200)
})
