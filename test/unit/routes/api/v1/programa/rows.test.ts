import t from 'tap'
import { agreeing } from '../../../../../support/agreeing.ts'
import { refuses } from '../../../../../support/invalid.ts'

const march = { periodo_inicio: '2026-03-01', periodo_fin: '2026-03-31', importe: '200000' }

t.test('rows of a programme', async (t) => {
  const { director, contract, convenio, to, get, psql } = await agreeing(t)
  const add = async (body: object) => await director.post('programa/', { ...march, ...body })
  const made = async (body: object) => {
    const response = await add(body)
    t.equal(response.statusCode, 201, response.body)
    return response.json()
  }
  const change = async (id: number, body: object) => await director.send('PATCH', `programa/${id}/`, body)
  const remove = async (id: number) => await director.send('DELETE', `programa/${id}/`)

  await t.test('have a period and an amount, which can be negative', async (t) => {
    const id = await contract()
    t.match(await made({ contract: id }), { contract: id, convenio: null, ...march, importe: '200000.00', version: 1 })
    t.match(await made({ contract: id, periodo_inicio: '2026-03-31', importe: '-0.01' }), { periodo_inicio: '2026-03-31', periodo_fin: '2026-03-31', importe: '-0.01' })
    t.match(await made({ contract: id }), { periodo_fin: '2026-03-31' }, 'periods can overlap')
    const backwards = ['periodo_fin may not be before periodo_inicio.']
    refuses(t, await add({ contract: id, periodo_fin: '2026-02-28' }), { periodo_fin: backwards })
    refuses(t, await add({ contract: id, importe: '0' }), { importe: ['This amount may not be zero.'] })
    refuses(t, await director.post('programa/', { contract: id }), Object.fromEntries(['periodo_inicio', 'periodo_fin', 'importe'].map(field => [field, ['This field is required.']])))
    const row = await made({ contract: id })
    refuses(t, await change(row.id, { periodo_inicio: '2026-04-01' }), { periodo_fin: backwards })
    refuses(t, await change(row.id, { contract: await contract() }), { contract: ['This field cannot be changed.'] })
    t.match((await change(row.id, { periodo_fin: '2026-04-15', importe: '7.5' })).json(), { periodo_fin: '2026-04-15', importe: '7.50', version: 2 })
  })

  await t.test('of a change order change in its draft alone', async (t) => {
    const id = await contract()
    const order = (await convenio(id, { monto: '100' }))['id']
    const row = await made({ contract: id, convenio: order })
    t.equal((await change(row.id, { importe: '7' })).statusCode, 200)
    t.equal((await to(order, 'enviado')).statusCode, 200)
    const detail = 'Amount, days, advance, concepts and programme can only be changed while the change order is a "borrador".'
    for (const response of [await add({ contract: id, convenio: order }), await change(row.id, { importe: '8' }), await remove(row.id)]) {
      t.strictSame([response.statusCode, response.json()], [409, { detail, code: 'conflict' }])
    }
    t.equal((await change(row.id, { external_id: 'erp-1' })).statusCode, 200)
    t.equal((await to(order, 'borrador')).statusCode, 200)
    t.equal((await remove(row.id)).statusCode, 204)
    refuses(t, await add({ contract: await contract(), convenio: order }), { convenio: ['This record belongs to another contract.'] })
  })

  await t.test('of a contract that is only terminado change', async (t) => {
    const id = await contract()
    t.equal((await director.send('PATCH', `contracts/${id}/`, { estado: 'terminado' })).statusCode, 200)
    const row = await made({ contract: id })
    t.equal((await change(row.id, { importe: '8' })).statusCode, 200)
    t.equal((await remove(row.id)).statusCode, 204)
  })

  await t.test('of a settled or cancelled contract stay', async (t) => {
    const settle = async (contract: number) => {
      const { id } = (await director.post('estimates/', { contract, tipo: 'finiquito' })).json()
      for (const estado of ['enviada', 'autorizada']) t.equal((await director.send('PATCH', `estimates/${id}/`, { estado })).statusCode, 200)
    }
    const cancel = async (id: number) => t.equal((await director.send('PATCH', `contracts/${id}/`, { estado: 'cancelado' })).statusCode, 200)
    for (const [estado, close] of [['finiquito', settle], ['cancelado', cancel]] as const) {
      const id = await contract()
      const row = await made({ contract: id, external_id: `cerrado-${estado}` })
      await close(id)
      refuses(t, await add({ contract: id }), { contract: ['This contract is cancelled or settled, and accepts no new periods of its programme.'] })
      const bulk = await director.post('programa/bulk/', { items: [{ ...march, contract: id }] })
      refuses(t, bulk, { 'items.0.contract': ['This contract is cancelled or settled, and accepts no new periods of its programme.'] })
      const closed = { detail: 'The contract is cancelled or settled, so its programme can no longer change.', code: 'conflict' }
      for (const response of [await change(row.id, { importe: '8' }), await remove(row.id)]) t.strictSame([response.statusCode, response.json()], [409, closed])
      t.equal((await change(row.id, { external_id: `otro-${estado}` })).statusCode, 200)
      t.strictSame((await change(row.id, { importe: '200000.00' })).statusCode, 200, 'the same value changes nothing')
      for (const text of ['update programa set importe = 1 where id = $1', 'delete from programa where id = $1']) {
        await t.rejects(psql(text, [row.id]), { code: '23514', constraint: 'programa_writable' }, 'also with psql')
      }
    }
  })

  await t.test('protect their contract and change order', async (t) => {
    const id = await contract()
    const order = (await convenio(id))['id']
    await made({ contract: id, convenio: order })
    const refusal = async (path: string, language: string) => (await director.send('DELETE', path, undefined, { 'accept-language': language })).json()
    t.match(await refusal(`convenios/${order}/`, 'en'), { detail: /cannot be deleted while periods of the programme use it \(1\)\./, code: 'protected' })
    t.match(await refusal(`contracts/${id}/`, 'es'), { detail: /periodos del programa \(1\)/, code: 'protected' })
  })

  await t.test('can be filtered and ordered, and a bulk takes them', async (t) => {
    const id = await contract()
    const order = (await convenio(id))['id']
    const items = [['2026-02-01', null], ['2026-01-01', null], ['2026-03-01', order]].map(([day, of]) => ({ contract: id, convenio: of, periodo_inicio: day, periodo_fin: '2026-03-31', importe: '5' }))
    t.equal((await director.post('programa/bulk/', { items })).statusCode, 201)
    const days = async (query: string) => (await get(`programa/?contract=${id}&${query}`))['results'].map((row: { periodo_inicio: string }) => row.periodo_inicio)
    t.same(await days('ordering=periodo_inicio'), ['2026-01-01', '2026-02-01', '2026-03-01'])
    t.same(await days('ordering=-periodo_inicio&convenio=null'), ['2026-02-01', '2026-01-01'])
    t.same(await days(`convenio=${order}`), ['2026-03-01'])
    refuses(t, await director.get('programa/?search=x'), { search: ['Unknown query parameter.'] }, 'it has no texts')
  })
})
