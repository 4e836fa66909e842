import { randomUUID } from 'node:crypto'
import t from 'tap'
import { estimating, states } from '../../../../../support/estimating.ts'

const conflict = { detail: 'Amounts, period and generadores can only be changed while the estimate is a "borrador".', code: 'conflict' }

t.test('fields that change only in a borrador', async (t) => {
  const { director, contract, estimate, send, change, read } = await estimating(t)
  const given = { monto: '50.00', deductivas: '1.00', periodo_inicio: '2026-01-01', periodo_fin: '2026-01-31' }
  const others = { monto: '49.99', deductivas: '0.99', periodo_inicio: '2026-01-02', periodo_fin: '2026-01-30' }

  for (const state of states.filter(state => state !== 'borrador')) {
    await t.test(`in ${state} amounts and period are fixed, other fields are not`, async (t) => {
      const before = await estimate(await contract(), given, state)
      const { id, contract: of } = before as { id: number, contract: number }
      for (const [field, value] of Object.entries(others)) {
        for (const response of [await send(id, { [field]: value }), await director.send('PUT', `estimates/${id}/`, { contract: of, [field]: value })]) {
          t.equal(response.statusCode, 409, `${field}: ${response.body}`)
          t.strictSame(response.json(), conflict)
        }
      }
      t.equal((await send(id, { periodo_inicio: null, periodo_fin: null })).statusCode, 409)
      t.equal((await send(id, { ...others, estado: 'borrador' })).statusCode, ['enviada', 'rechazada'].includes(state) ? 409 : 400, 'nor in the change back to a borrador')
      t.strictSame(await read(id), before)

      const same = await director.send('PUT', `estimates/${id}/`, { ...before, monto: 50, deductivas: '1' })
      t.equal(same.statusCode, 200, 'unchanged values are accepted')
      t.strictSame(same.json(), before)
      const free = { descripcion: 'Corregida', factura_uuid: randomUUID(), external_id: `x-${state}`, motivo_rechazo: 'Otro' }
      const changed = await change(id, free)
      t.strictSame(changed, { ...before, ...free, version: before['version'] + 1, updated_at: changed['updated_at'] })
    })
  }

  await t.test('the error is in Spanish if requested', async (t) => {
    const { id } = await estimate(await contract(), given, 'enviada')
    t.strictSame((await send(id, { monto: '1' }, 'es')).json(), {
      detail: 'Los importes, el periodo y los generadores solo pueden cambiarse mientras la estimación sea un "borrador".', code: 'conflict'
    })
  })

  await t.test('they change in a borrador, in the change to enviada, and after the change back', async (t) => {
    const { id } = await estimate(await contract(), given)
    t.match(await change(id, others), others)
    t.match(await change(id, { ...given, estado: 'enviada' }), { ...given, estado: 'enviada' })
    await change(id, { estado: 'rechazada', motivo_rechazo: 'No' })
    t.match(await change(id, { estado: 'borrador' }), given)
    t.match(await change(id, others), others)
  })
})
