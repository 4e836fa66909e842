import { randomUUID } from 'node:crypto'
import t from 'tap'
import { messages } from '../../../../src/http/messages.ts'
import { agreeing } from '../../../support/agreeing.ts'
import { refuses } from '../../../support/invalid.ts'
import { payment, paying } from '../../../support/paying.ts'
import { succeeded } from '../../../support/succeeded.ts'

/** A day by its distance from today. Tests that run over midnight stay away from the bound. */
const ahead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const future = [messages.en.future]
const late = [ahead(3), '2099-12-31']

t.test('the day of a payment is at most one day ahead', async (t) => {
  const { director, due, pay, paid, psql } = await paying(t)
  const { id } = await due('100')
  const made = await paid(id, '10', { fecha: ahead(1) })
  for (const fecha of late) {
    refuses(t, await pay(id, '10', { fecha }), { fecha: future })
    refuses(t, await director.send('PATCH', `pagos/${made['id']}/`, { fecha }), { fecha: future })
    refuses(t, await director.post('pagos/bulk/', { items: [payment(id, '1'), payment(id, '1', { fecha })] }), { 'items.1.fecha': future })
    const mutations = [
      { id: 1, op: 'create', resource: 'pagos', body: payment(id, '1', { fecha }) },
      { id: 2, op: 'update', resource: 'pagos', record: made['id'], body: { fecha } }
    ]
    const refused = { status: 400, errors: { fecha: future } }
    t.match((await director.post('mutations/', { device: randomUUID(), mutations })).json().results, [refused, refused])
    const violates = { code: '23514', constraint: 'pagos_fecha_future' }
    await t.rejects(psql('insert into pagos (company_id, estimate_id, importe, fecha) values (1, $1, 1, $2)', [id, fecha]), violates)
    await t.rejects(psql('update pagos set fecha = $2 where id = $1', [made['id'], fecha]), violates)
  }
  t.match((await director.send('PATCH', `pagos/${made['id']}/`, { fecha: late[0] }, { 'accept-language': 'es' })).json(), { errors: { fecha: [messages.es.future] }, codes: { fecha: ['future'] } })

  await psql('alter table pagos disable trigger user')
  await psql("update pagos set fecha = '2099-12-31' where id = $1", [made['id']])
  await psql('alter table pagos enable trigger user')
  const old = (await director.get(`pagos/${made['id']}/`)).json()
  succeeded(await director.send('PUT', `pagos/${made['id']}/`, { ...old, referencia: 'De antes' }))
  succeeded(await director.send('PATCH', `pagos/${made['id']}/`, { fecha: '2026-04-15' }))
})

t.test('so are the days of the order and of the signature of a change order', async (t) => {
  const { director, contract, convenio, to, psql } = await agreeing(t)
  const of = await contract()
  const patch = async (id: number, fields: object) => await director.send('PATCH', `convenios/${id}/`, fields)
  for (const field of ['fecha_autorizacion', 'fecha_firma']) {
    const { id } = await convenio(of)
    succeeded(await patch(id, { [field]: ahead(1) }))
    for (const day of late) {
      const problem = { [field]: future }
      refuses(t, await director.post('convenios/', { contract: of, [field]: day }), problem)
      refuses(t, await patch(id, { [field]: day }), problem)
      t.match((await director.post('convenios/bulk/', { items: [{ contract: of, [field]: day }] })).json().errors, { [`items.0.${field}`]: future })
      const violates = { code: '23514', constraint: `convenios_${field}_future` }
      await t.rejects(psql(`insert into convenios (company_id, contract_id, ${field}) values (1, $1, $2)`, [of, day]), violates)
      await t.rejects(psql(`update convenios set ${field} = $2 where id = $1`, [id, day]), violates)
    }
  }
  const { id } = await convenio(of, {}, 'enviado')
  refuses(t, await to(id, 'autorizado', { fecha_autorizacion: late[0] }), { fecha_autorizacion: future })
  succeeded(await to(id, 'autorizado'))
  refuses(t, await to(id, 'firmado', { fecha_firma: late[0] }), { fecha_firma: future })

  await t.test('a day from before this rule stays, until the state changes', async (t) => {
    await psql('alter table convenios disable trigger user')
    await psql("update convenios set fecha_firma = '2099-12-31' where id = $1", [id])
    await psql('alter table convenios enable trigger user')
    succeeded(await patch(id, { descripcion: 'Otra', fecha_firma: '2099-12-31' }))
    refuses(t, await patch(id, { estado: 'firmado' }), { fecha_firma: future })
    await t.rejects(psql("update convenios set estado = 'firmado' where id = $1", [id]), { code: '23514', constraint: 'convenios_fecha_firma_future' })
    succeeded(await to(id, 'firmado'))
  })

  await t.test('and does not stop a change to a state in which it does not count', async () => {
    for (const estado of ['borrador', 'cancelado', 'rechazado']) {
      for (const write of [
        async (id: number) => succeeded(await patch(id, { estado, ...estado === 'rechazado' ? { motivo_rechazo: 'No' } : {} })),
        async (id: number) => await psql("update convenios set estado = $2::text, motivo_rechazo = case $2::text when 'rechazado' then 'No' else motivo_rechazo end where id = $1", [id, estado])
      ]) {
        const { id } = await convenio(of, {}, 'enviado')
        await psql('alter table convenios disable trigger user')
        await psql("update convenios set fecha_autorizacion = '2099-12-31' where id = $1", [id])
        await psql('alter table convenios enable trigger user')
        await write(id)
      }
    }
  })
})
