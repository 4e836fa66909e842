import { randomUUID } from 'node:crypto'
import t from 'tap'
import { messages } from '../../../../src/http/messages.ts'
import { refuses } from '../../../support/invalid.ts'
import { succeeded } from '../../../support/succeeded.ts'
import { charge, moving } from './moving.ts'

const tooLarge = { porcentaje: [messages.en.maxValue.replace('{max_value}', '100')] }
const tooSmall = { porcentaje: [messages.en.minValue.replace('{min_value}', '0.000001')] }
const outside = [['100.000001', tooLarge], ['999', tooLarge], ['0', tooSmall]] as const

t.test('a percentage is above 0 and at most 100', async (t) => {
  const { director, contract, estimate, post, move, patch, movement, authorize, psql } = await moving(t)
  const draft = async () => (await estimate(await contract({ monto: '10000' }), { monto: '1000' }))['id'] as number
  const id = await draft()
  for (const porcentaje of ['0.000001', '100']) await move(id, { porcentaje })
  const made = await move(id, { porcentaje: '5' })
  const bare = { estimate: id, ...charge }
  for (const [porcentaje, problem] of outside) {
    refuses(t, await post(id, { porcentaje }), problem, porcentaje)
    refuses(t, await patch(made['id'], { porcentaje }), problem, porcentaje)
    refuses(t, await director.send('PUT', `movimientos/${made['id']}/`, { ...bare, porcentaje }), problem, porcentaje)
    refuses(t, await director.post('movimientos/bulk/', { items: [{ ...bare, porcentaje }] }), { 'items.0.porcentaje': problem.porcentaje })
    const mutations = [
      { id: 1, op: 'create', resource: 'movimientos', body: { ...bare, porcentaje } },
      { id: 2, op: 'update', resource: 'movimientos', record: made['id'], body: { porcentaje } }
    ]
    t.match((await director.post('mutations/', { device: randomUUID(), mutations })).json().results, [{ status: 400, errors: problem }, { status: 400, errors: problem }])
    const violates = { code: '23514', constraint: 'movimientos_percentage' }
    await t.rejects(psql('insert into movimientos (company_id, estimate_id, tipo, motivo, antes_iva, porcentaje) values (1, $1, \'pena\', \'Atraso\', false, $2)', [id, porcentaje]), violates)
    await t.rejects(psql('update movimientos set porcentaje = $2 where id = $1', [made['id'], porcentaje]), violates)
  }
  t.match(await movement(made['id']), { porcentaje: '5.000000', version: 1 })

  await t.test('one from before this rule can be sent back, and its estimate authorized and undone', async (t) => {
    const old = await draft()
    const { id: percentage } = await move(old, { porcentaje: '5', base: 'iva' })
    await psql('alter table movimientos disable trigger user')
    await psql('update movimientos set porcentaje = 150 where id = $1', [percentage])
    await psql('alter table movimientos enable trigger user')
    succeeded(await director.send('PUT', `movimientos/${percentage}/`, { ...await movement(percentage), motivo: 'Corregido' }))
    refuses(t, await patch(percentage, { porcentaje: '151' }), tooLarge)
    t.match(await authorize(old), { cargos_despues_iva: '240.00' })
    succeeded(await director.send('PATCH', `estimates/${old}/`, { estado: 'enviada' }))
  })
})
