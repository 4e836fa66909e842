import t from 'tap'
import { agreeing } from '../../../../../support/agreeing.ts'
import { refuses } from '../../../../../support/invalid.ts'

const exceeds = { monto: ['The authorized total would exceed the amount of the contract.'] }
const inUse = { estado: ['Authorized estimates use this amount. Sign the change order, or authorize another one first.'] }
const agreed = 'Signed change orders (convenios) have set this value. Change it with another change order.'

t.test('extra work that waits for its signature', async (t) => {
  const { director, contract, convenio, estimate, send, to, get } = await agreeing(t)
  const amounts = async (id: number) => {
    const { monto, monto_original: original, extra_autorizado: extra, monto_estimado: estimado, por_estimar: left } = await get(`contracts/${id}/`)
    return [monto, original, extra, estimado, left]
  }
  const amend = async (id: number, fields: object) => await director.send('PATCH', `contracts/${id}/`, fields)

  await t.test('extra work that is ordered raises the ceiling of estimates, and por_estimar is negative until the signature', async (t) => {
    const id = await contract({ monto: '1000000' })
    await estimate(id, { monto: '900000' }, 'autorizada')
    const { id: claim } = await estimate(id, { monto: '180000' }, 'enviada')
    refuses(t, await send(claim, { estado: 'autorizada' }), exceeds)
    const { id: order } = await convenio(id, { monto: '80000' }, 'enviado')
    refuses(t, await send(claim, { estado: 'autorizada' }), exceeds, 'a sent change order does not count')
    await to(order, 'autorizado')
    t.same(await amounts(id), ['1000000.00', '1000000.00', '80000.00', '900000.00', '100000.00'])
    t.equal((await send(claim, { estado: 'autorizada' })).statusCode, 200)
    t.same(await amounts(id), ['1000000.00', '1000000.00', '80000.00', '1080000.00', '-80000.00'])
    refuses(t, await to(order, 'cancelado'), inUse)
    refuses(t, await to(order, 'borrador'), inUse)
    refuses(t, await amend(id, { monto: '999999.99' }), { monto: ['Ensure this value is not less than the authorized amount.'] })
    t.equal((await amend(id, { monto: '1000000.01' })).statusCode, 200)
    t.equal((await amend(id, { monto: '1000000.00' })).statusCode, 200, 'extra work lowers what the contract must be for')
    t.equal((await to(order, 'firmado')).statusCode, 200)
    t.same(await amounts(id), ['1080000.00', '1000000.00', '0.00', '1080000.00', '0.00'])
    refuses(t, await amend(id, { monto: '1000000.00' }), { monto: [agreed] })
  })

  await t.test('extra work can be undone as far as no estimate uses it; reductions never raise the ceiling', async (t) => {
    const id = await contract()
    const [first, second, less] = [await convenio(id, { monto: '50' }, 'autorizado'), await convenio(id, { monto: '50' }, 'autorizado'), await convenio(id, { monto: '-500' }, 'autorizado')]
    t.same(await amounts(id), ['1000.00', '1000.00', '100.00', '0.00', '1000.00'])
    await estimate(id, { monto: '1050' }, 'autorizada')
    t.equal((await to(less['id'], 'cancelado')).statusCode, 200)
    t.equal((await to(first['id'], 'borrador')).statusCode, 200)
    refuses(t, await to(second['id'], 'cancelado'), inUse)
    await to(first['id'], 'enviado')
    await to(first['id'], 'autorizado')
    t.equal((await to(second['id'], 'cancelado')).statusCode, 200)
    t.same(await amounts(id), ['1000.00', '1000.00', '50.00', '1050.00', '-50.00'])
  })
})
