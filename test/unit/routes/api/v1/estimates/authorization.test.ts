import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'
import { refuses } from '../../../../../support/invalid.ts'

const exceeds = { monto: ['The authorized total would exceed the amount of the contract.'] }

t.test('authorizing estimates', async (t) => {
  const { director, contract, estimate, send, psql } = await estimating(t)
  const amend = async (id: number, monto: string, language = 'en') => await director.send('PATCH', `contracts/${id}/`, { monto }, { 'accept-language': language })
  const sums = async (id: number) => {
    const { monto, monto_estimado: estimado, por_estimar: left } = (await director.get(`contracts/${id}/`)).json()
    return [monto, estimado, left]
  }

  await t.test('adds to the contract’s sums, up to its monto', async (t) => {
    const id = await contract()
    await estimate(id, { monto: '400' })
    await estimate(id, { monto: '400' }, 'enviada')
    t.same(await sums(id), ['1000.00', '0.00', '1000.00'])
    await estimate(id, { monto: '600' }, 'autorizada')
    await estimate(id, { monto: '399.99' }, 'pagada')
    t.same(await sums(id), ['1000.00', '999.99', '0.01'])
    const last = await estimate(id, { monto: '0.02' }, 'enviada')
    refuses(t, await send(last['id'], { estado: 'autorizada' }), exceeds)
    t.strictSame((await send(last['id'], { estado: 'autorizada' }, 'es')).json().errors, { monto: ['El total autorizado excedería el monto del contrato.'] })
    await amend(id, '1000.01')
    t.equal((await send(last['id'], { estado: 'autorizada' })).statusCode, 200)
    t.same(await sums(id), ['1000.01', '1000.01', '0.00'])
  })

  await t.test('concurrently permits what fits', async (t) => {
    const id = await contract({ monto: '100.00', anticipo_porcentaje: '50' })
    const sent = await Promise.all(Array.from({ length: 16 }, async () => await estimate(id, { monto: '15' }, 'enviada')))
    const answers = await Promise.all(sent.map(async ({ id }) => await send(id, { estado: 'autorizada' })))
    t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 6)
    for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) {
      t.equal(answer.statusCode, 400)
      t.strictSame(answer.json().errors, exceeds)
    }
    t.same(await sums(id), ['100.00', '90.00', '10.00'])
    t.same(await psql('select sum(amortizacion) as sum, count(neto) as n from estimates where contract_id = $1', [id]), [{ sum: '45.00', n: 6 }])
  })

  await t.test('prevents a smaller contract monto than the authorized total', async (t) => {
    const id = await contract()
    await estimate(id, { monto: '600' }, 'autorizada')
    refuses(t, await amend(id, '599.99'), { monto: ['Ensure this value is not less than the authorized amount.'] })
    t.strictSame((await amend(id, '0', 'es')).json().errors, { monto: ['Asegúrese de que este valor no sea menor que el monto autorizado.'] })
    t.equal((await amend(id, '600')).statusCode, 200)
    t.same(await sums(id), ['600.00', '600.00', '0.00'])
  })

  await t.test('concurrent with a smaller contract monto: one of the two is refused, by the API and by psql', async (t) => {
    for (let round = 0; round < 6; round++) {
      const id = await contract()
      const { id: sent } = await estimate(id, { monto: '700' }, 'enviada')
      const lower = round % 2 === 0
        ? amend(id, '500').then(({ statusCode }) => statusCode)
        : psql('update contracts set monto = 500 where id = $1', [id]).then(() => 200, ({ code }) => code === '23514' ? 400 : code)
      const [authorization, lowered] = await Promise.all([send(sent, { estado: 'autorizada' }), lower])
      t.same([authorization.statusCode, lowered].sort(), [200, 400])
      if (authorization.statusCode === 400) t.strictSame(authorization.json().errors, exceeds)
      t.same(await sums(id), authorization.statusCode === 200 ? ['1000.00', '700.00', '300.00'] : ['500.00', '0.00', '500.00'])
    }
  })

  await t.test('counts only authorized estimates, not subcontracts or other contracts', async (t) => {
    const id = await contract({ monto: '10' })
    const child = await contract({ monto: '100', parent: id })
    await estimate(child, { monto: '100' }, 'autorizada')
    t.same(await sums(id), ['10.00', '0.00', '10.00'])
    t.equal((await estimate(id, { monto: '10' }, 'autorizada'))['estado'], 'autorizada')
  })
})
