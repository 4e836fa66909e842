import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'

t.test('an invalid field causes no errors of other fields', async (t) => {
  const { director, contract, estimate, send } = await estimating(t)
  const id = await contract({ fecha_inicio: '2026-05-01', fecha_fin: '2026-06-30' })
  const errors = async (response: Promise<{ statusCode: number, json: () => { errors: object } }>) => {
    const { statusCode, json } = await response
    t.equal(statusCode, 400)
    return Object.keys(json().errors).sort()
  }

  t.same(await errors(director.post('estimates/', { contract: id, monto: 'abc', deductivas: '5' })), ['monto'])
  t.same(await errors(director.post('estimates/', { contract: id, monto: '5', deductivas: 'abc' })), ['deductivas'])
  t.same(await errors(director.post('estimates/', { contract: id, periodo_inicio: 'abc', periodo_fin: '2026-05-31' })), ['periodo_inicio'])
  t.same(await errors(director.post('estimates/', { contract: id, estado: 'otro', periodo_fin: '2026-05-31' })), ['estado', 'periodo_inicio'])
  t.same(await errors(director.post('contracts/', { folio: 'R-1', fecha_inicio: 'abc', fecha_fin: '2020-01-01' })), ['fecha_inicio'])
  t.same(await errors(director.send('PATCH', `contracts/${id}/`, { fecha_inicio: 5, fecha_fin: '2020-01-01' })), ['fecha_inicio'])

  const sent = await estimate(id, { monto: '100', periodo_inicio: '2026-05-01', periodo_fin: '2026-05-31' }, 'enviada')
  t.same(await errors(send(sent['id'], { estado: 'rechazada', motivo_rechazo: true })), ['motivo_rechazo'])
  t.same(await errors(send(sent['id'], { estado: 'rechazada', motivo_rechazo: true, contract: 'x' })), ['contract', 'motivo_rechazo'])
  const draft = await estimate(id, { monto: '100', periodo_inicio: '2026-06-01', periodo_fin: '2026-06-30' })
  t.same(await errors(send(draft['id'], { periodo_fin: 'abc', periodo_inicio: '2026-05-15' })), ['periodo_fin'], 'no overlap computed from the invalid end')
  t.same(await errors(send(draft['id'], { monto: 'abc', deductivas: '500' })), ['monto'])
  t.same(await errors(director.post('estimates/bulk/', { items: [{ contract: id, monto: 'abc', deductivas: '5' }, { contract: id, deductivas: '5' }] })), ['items.0.monto', 'items.1.deductivas'])
})
