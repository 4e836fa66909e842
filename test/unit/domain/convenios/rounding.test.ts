import t from 'tap'
import { agreeing } from '../../../support/agreeing.ts'
import { refuses } from '../../../support/invalid.ts'

t.test('change orders of a contract whose authorized lines exceed it by a cent (works-examples.md, 2)', async (t) => {
  const { director, contract, convenio, estimate, to, change, get } = await agreeing(t)
  const row = async (of: object) => {
    const response = await director.post('conceptos/', { unidad: 'kg', precio_unitario: '0.335', ...of })
    t.equal(response.statusCode, 201, response.body)
    return response.json().id as number
  }
  const amounts = async (id: number) => {
    const { monto, monto_estimado: estimado, por_estimar: left, extra_autorizado: extra } = await get(`contracts/${id}/`)
    return [monto, estimado, left, extra]
  }
  const id = await contract({ fecha_inicio: '2026-01-01', fecha_fin: '2026-12-31' })
  const executed = await row({ contract: id, clave: 'K', cantidad: '3' })
  await row({ contract: id, clave: 'B', cantidad: '10', precio_unitario: '10' })
  for (let n = 1; n <= 3; n++) {
    const { id: one } = await estimate(id)
    t.equal((await director.post('generadores/', { estimate: one, concepto: executed, cantidad: '1' })).statusCode, 201)
    for (const estado of ['enviada', 'autorizada']) await change(one, { estado })
  }
  t.same(await amounts(id), ['101.01', '1.02', '99.99', '0.00'])

  const reduced = await convenio(id)
  await row({ contract: id, convenio: reduced['id'], clave: 'B', cantidad: '-10', precio_unitario: '10' })
  for (const estado of ['enviado', 'autorizado', 'firmado']) {
    const response = await to(reduced['id'], estado)
    t.equal(response.statusCode, 200, response.body)
  }
  t.same(await amounts(id), ['1.01', '1.02', '-0.01', '0.00'], 'a reduction to the executed quantities')

  t.equal((await to((await convenio(id, { dias: 10 }, 'autorizado'))['id'], 'firmado')).statusCode, 200, 'another end')
  const { id: unused } = await convenio(id, { monto: '50' }, 'autorizado')
  t.same(await amounts(id), ['1.01', '1.02', '-0.01', '50.00'])
  t.equal((await to(unused, 'cancelado')).statusCode, 200, 'extra work that no estimate uses')

  const given = await convenio(id, { monto: '-0.50' }, 'autorizado')
  refuses(t, await to(given['id'], 'firmado'), { monto: ['With this change order, the contract would be for less than its authorized amount.'] }, 'a given amount is no rounding')
  const less = await convenio(id)
  await row({ contract: id, convenio: less['id'], clave: 'K', cantidad: '-1' })
  for (const estado of ['enviado', 'autorizado']) await to(less['id'], estado)
  const refused = await to(less['id'], 'firmado')
  t.equal(refused.statusCode, 400)
  t.ok(Object.hasOwn(refused.json().errors, 'estado'), refused.body)
  t.same(await amounts(id), ['1.01', '1.02', '-0.01', '0.00'])

  const used = await convenio(id)
  const added = await row({ contract: id, convenio: used['id'], clave: 'K', cantidad: '2' })
  for (const estado of ['enviado', 'autorizado']) await to(used['id'], estado)
  const { id: claim } = await estimate(id)
  t.equal((await director.post('generadores/', { estimate: claim, concepto: added, cantidad: '2' })).statusCode, 201)
  for (const estado of ['enviada', 'autorizada']) await change(claim, { estado })
  refuses(t, await to(used['id'], 'cancelado'), { estado: ['Authorized estimates use this amount. Sign the change order, or authorize another one first.'] })
  t.equal((await to(used['id'], 'firmado')).statusCode, 200)
  t.same(await amounts(id), ['1.68', '1.69', '-0.01', '0.00'])
})

t.test('a signed reduction without rows lowers what lines can add up to', async (t) => {
  const { director, contract, convenio, estimate, to, send } = await agreeing(t)
  const id = await contract()
  const { id: concepto } = (await director.post('conceptos/', { contract: id, clave: 'B', unidad: 'm2', cantidad: '10', precio_unitario: '10' })).json()
  t.equal((await to((await convenio(id, { monto: '-50' }, 'autorizado'))['id'], 'firmado')).statusCode, 200)
  const { id: claim } = await estimate(id)
  t.equal((await director.post('generadores/', { estimate: claim, concepto, cantidad: '8' })).statusCode, 201)
  t.equal((await send(claim, { estado: 'enviada' })).statusCode, 200)
  const refused = await send(claim, { estado: 'autorizada' })
  t.strictSame([refused.statusCode, refused.json().codes], [400, { monto: ['exceeds_contract'] }])
})

t.test('a reduction that waits for its signature lowers what lines can add up to, as in the ceiling', async (t) => {
  const { director, contract, convenio, estimate, to, send, get } = await agreeing(t)
  const id = await contract()
  const row = async (clave: string, cantidad: string, more: object = {}) => {
    return (await director.post('conceptos/', { contract: id, clave, unidad: 'm2', cantidad, precio_unitario: '10', ...more })).json().id as number
  }
  const [a, b] = [await row('A', '100'), await row('B', '100')]
  const { id: order } = await convenio(id)
  const added = await row('A', '100', { convenio: order })
  await row('B', '-50', { convenio: order })
  for (const estado of ['enviado', 'autorizado']) await to(order, estado)
  t.match(await get(`contracts/${id}/`), { monto: '2000.00', extra_autorizado: '500.00' })
  const { id: claim } = await estimate(id)
  for (const [concepto, cantidad] of [[a, '100'], [added, '100'], [b, '50.01']]) await director.post('generadores/', { estimate: claim, concepto, cantidad })
  t.equal((await send(claim, { estado: 'enviada' })).statusCode, 200)
  const refused = await send(claim, { estado: 'autorizada' })
  t.strictSame([refused.statusCode, refused.json().codes], [400, { monto: ['exceeds_contract'] }])
})

t.test('a contract without an end can get one after the first signature', async (t) => {
  const { director, contract, convenio, to } = await agreeing(t)
  const id = await contract({ fecha_inicio: '2026-01-01' })
  t.equal((await to((await convenio(id, { monto: '50' }, 'autorizado'))['id'], 'firmado')).statusCode, 200)
  const given = await director.send('PATCH', `contracts/${id}/`, { fecha_fin: '2026-12-31' })
  t.strictSame([given.statusCode, given.json().fecha_fin], [200, '2026-12-31'])
  const moved = await director.send('PATCH', `contracts/${id}/`, { fecha_fin: '2027-01-31' })
  t.strictSame([moved.statusCode, moved.json().codes], [400, { fecha_fin: ['derived'] }])
})
