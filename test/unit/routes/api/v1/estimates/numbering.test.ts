import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'
import { buildOn, logIn, openAgain } from '../../../../../support/helper.ts'
import { call } from '../../../../../support/over-http.ts'
import { server } from '../../../../../support/template.ts'

const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1)

t.test('the numero of estimates', async (t) => {
  const { app, database, env, director, contract, psql } = await estimating(t)
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
    t.same(answers.map(({ body }) => body).sort((a, b) => a.id - b.id), listed)
  })

  await t.test('has no gaps if some creates fail, on several contracts concurrently', async (t) => {
    const ids = await Promise.all(upTo(4).map(async () => await contract()))
    await Promise.all(ids.map(async (id, n) => await post({ contract: id, external_id: `taken ${n}`, periodo_inicio: '2026-01-01', periodo_fin: '2026-01-31' })))
    const answers = await Promise.all(upTo(60).map(async n => {
      const id = ids[n % 4] as number
      const wrong = [{}, { external_id: `taken ${n % 4}` }, { periodo_inicio: '2026-01-31', periodo_fin: '2026-02-01' }, { deductivas: '1' }][Math.floor(n / 4) % 4]
      return { id, wrong: Object.keys(wrong as object)[0], answer: await post({ contract: id, ...wrong }) }
    }))
    for (const { wrong, answer } of answers) {
      t.equal(answer.status, wrong === undefined ? 201 : 400)
      if (wrong !== undefined) t.same(Object.keys(answer.body.errors), [wrong])
    }
    for (const id of ids) {
      const made = answers.filter(({ id: of, answer }) => of === id && answer.status === 201).map(({ answer }) => answer.body.numero)
      t.same(made.sort((a, b) => a - b), upTo(made.length + 1).slice(1))
      t.same(await numbers(id), upTo(made.length + 1))
    }
  })

  await t.test('of concurrent creates with one external_id is used once', async (t) => {
    const [one, two] = [await contract(), await contract()]
    const answers = await Promise.all(upTo(20).map(async n => await post({ contract: n % 2 === 0 ? one : two, external_id: 'el mismo' })))
    t.equal(answers.filter(({ status }) => status === 201).length, 1)
    for (const { body } of answers.filter(({ status }) => status !== 201)) t.strictSame(body.errors, { external_id: ['This field must be unique.'] })
    t.equal((await numbers(one)).length + (await numbers(two)).length, 1)
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

  if (server === undefined) return

  await t.test('has no gaps if two servers on one database create concurrently', async (t) => {
    const second = await openAgain({ database, env, psql })
    t.teardown(async () => await second.close())
    t.not(second, database)
    const other = await logIn(await buildOn(t, second), 'coordinador@demo.example')
    const ids = [await contract(), await contract()]
    const answers = await Promise.all(upTo(80).map(async n => {
      const body = { contract: ids[n % 2], ...n % 5 === 0 ? { external_id: 'carrera' } : {} }
      return await (n % 4 < 2 ? other : director).post('estimates/', body)
    }))
    t.equal(answers.filter(({ statusCode }) => statusCode === 201).length, 65)
    const [a, b] = [await numbers(ids[0] as number), await numbers(ids[1] as number)]
    t.same([a, b], [upTo(a.length), upTo(b.length)])
    t.equal(a.length + b.length, 65)
  })
})
