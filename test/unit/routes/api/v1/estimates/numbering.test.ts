import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'
import { call } from '../../../../../support/over-http.ts'

const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1)

t.test('the numero of estimates', async (t) => {
  const { app, director, contract, psql } = await estimating(t)
  const origin = await app.listen({ port: 0 })
  const post = async (body: object) => await call(origin, 'POST', 'estimates/', { token: director.access, body })
  const numbers = async (id: number) => (await psql('select numero from estimates where contract_id = $1 order by numero', [id])).map(({ numero }) => numero)

  await t.test('runs from 1 without gaps for fifty concurrent creates, over sockets', async (t) => {
    const id = await contract()
    const answers = await Promise.all(upTo(50).map(async n => await post({ contract: id, monto: `${n}.00` })))
    t.ok(answers.every(({ status }) => status === 201))
    t.same(answers.map(({ body }) => body.numero).sort((a, b) => a - b), upTo(50))
    t.same(await numbers(id), upTo(50))
    // Each answer includes all earlier estimates: its sums equal those of a list now.
    const listed = (await director.get(`estimates/?contract=${id}&page_size=200`)).json().results
    t.same(answers.map(({ body: { avisos, ...listed } }) => listed).sort((a, b) => a.id - b.id), listed)
  })

  await t.test('is assigned in psql too, whatever the statement sets', async (t) => {
    const id = await contract({ anticipo_porcentaje: '25' })
    t.same(await psql('insert into estimates (company_id, contract_id, numero, anticipo_porcentaje) select 1, $1, 7, 99 from generate_series(1, 3) returning numero, anticipo_porcentaje, iva_porcentaje', [id]),
      [1, 2, 3].map(numero => ({ numero, anticipo_porcentaje: '25.00', iva_porcentaje: '16.00' })))
    t.equal((await post({ contract: id })).body.numero, 4)
    await Promise.all(upTo(10).map(async n => n % 2 === 0
      ? await post({ contract: id })
      : await psql('insert into estimates (company_id, contract_id) values (1, $1)', [id])))
    t.same(await numbers(id), upTo(14))
  })
})
