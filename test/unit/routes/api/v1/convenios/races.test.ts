import t from 'tap'
import { agreeing } from '../../../../../support/agreeing.ts'

t.test('concurrent signatures and amendments', async (t) => {
  const { director, contract, convenio, to, get } = await agreeing(t)

  await t.test('signatures of one contract add up, and a monto in a body comes before all of them or is refused', async (t) => {
    const id = await contract({ fecha_fin: '2026-12-31' })
    const orders = await Promise.all(Array.from({ length: 6 }, async (_, n) => await convenio(id, { monto: `${10 ** n}`, dias: n }, 'autorizado')))
    const [amended, ...signed] = await Promise.all([
      director.send('PATCH', `contracts/${id}/`, { monto: '5000000' }), ...orders.map(async order => await to(order['id'], 'firmado'))
    ])
    t.same(signed.map(({ statusCode }) => statusCode), signed.map(() => 200))
    const original = amended.statusCode === 200 ? '5000000.00' : '1000.00'
    t.match(await get(`contracts/${id}/`), { monto_original: original, monto: `${Number(original) + 111111}.00`, fecha_fin: '2027-01-15', fecha_fin_original: '2026-12-31' })
  })
})
