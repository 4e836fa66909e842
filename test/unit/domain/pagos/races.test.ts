import t from 'tap'
import { refuses } from '../../../support/invalid.ts'
import { notDue, notPayable, paying } from '../../../support/paying.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'

t.test('concurrent payments', async (t) => {
  const { director, send, read, psql, due, pay } = await paying(t)

  await t.test('of the rest: one wins', async (t) => {
    for (let round = 0; round < 6; round++) {
      const { id } = await due('100')
      await pay(id, '40')
      const answers = await Promise.all(['60', '60', '60'].map(async importe => await pay(id, importe)))
      t.same(answers.map(({ statusCode }) => statusCode).sort(), [201, 400, 400])
      for (const answer of answers) if (answer.statusCode === 400) refuses(t, answer, notPayable)
      t.match(await read(id), { pagado: '100.00', estado: 'pagada' })
    }
  })

  await t.test('that fit together all succeed; of others as many as fit', async (t) => {
    const [all, some] = [await due('100'), await due('100')]
    const [fitting, others] = await Promise.all([Promise.all(Array.from({ length: 20 }, async () => await pay(all['id'], '5'))), Promise.all(Array.from({ length: 12 }, async () => await pay(some['id'], '15')))])
    t.ok(fitting.every(({ statusCode }) => statusCode === 201))
    t.equal(others.filter(({ statusCode }) => statusCode === 201).length, 6)
    for (const answer of others.filter(({ statusCode }) => statusCode !== 201)) refuses(t, answer, notDue)
    t.match([await read(all['id']), await read(some['id'])], [{ estado: 'pagada', por_pagar: '0.00' }, { estado: 'autorizada', por_pagar: '10.00' }])
    t.same(await wrongSums(psql), [])
  })

  await t.test('with a change to pagada, an undo or a delete: the sums are right', async (t) => {
    for (let round = 0; round < 8; round++) {
      const { id } = await due('100')
      const first = (await pay(id, '30')).json()
      const answers = await Promise.all([pay(id, '70'), send(id, { estado: 'pagada' }), send(id, { estado: 'enviada' }), director.send('DELETE', `pagos/${first.id}/`), pay(id, '10')])
      for (const { statusCode } of answers) t.ok([200, 201, 204, 400].includes(statusCode), String(statusCode))
      const { estado, pagado, por_pagar: left } = await read(id)
      t.equal(estado === 'pagada', left === '0.00' && pagado === '100.00')
      t.same(await wrongSums(psql), [])
    }
  })
})
