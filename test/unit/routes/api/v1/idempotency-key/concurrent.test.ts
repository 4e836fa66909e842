import t from 'tap'
import type { LightMyRequestResponse } from 'fastify'
import { unitsOfWork } from '../../../../../../src/database/connection/channels.ts'
import { until } from '../../../../../support/until.ts'
import { build, buildOn, logIn, openAgain } from '../../../../../support/helper.ts'

const running = { detail: 'A request with this Idempotency-Key is still running.', code: 'conflict' }

/** Of the answers for one key, one is a create; the others replay it or report that it is still running. */
function oneMade (t: Tap, answers: LightMyRequestResponse[]): void {
  const made = answers.filter(({ statusCode, headers }) => statusCode === 201 && headers['idempotency-replayed'] === undefined)
  t.equal(made.length, 1)
  for (const answer of answers.filter(one => one !== made[0])) {
    if (answer.statusCode === 409) t.strictSame(answer.json(), running)
    else t.strictSame([answer.statusCode, answer.headers['idempotency-replayed'], answer.body], [201, 'true', made[0]?.body])
  }
}

t.test('concurrent requests with one key', async (t) => {
  const server = await build(t)
  const { as, psql } = server
  const [director, coordinador] = await Promise.all([as('director@demo.example'), as('coordinador@demo.example')])
  const twin = await logIn(await buildOn(t, await openAgain(server)), 'director@demo.example')
  const folios = async (folio: string) => (await psql('select from contracts where folio = $1', [folio])).length

  t.test('on one server create one record', async (t) => {
    for (let round = 1; round <= 5; round++) {
      const answers = await Promise.all(Array.from({ length: 12 }, async () => await director.post('contracts/', { folio: `UNA-${round}` }, { 'idempotency-key': `una ${round}` })))
      oneMade(t, answers)
      t.equal(await folios(`UNA-${round}`), 1)
    }
    t.equal((await director.post('contracts/', { folio: 'UNA-1' }, { 'idempotency-key': 'una 1' })).headers['idempotency-replayed'], 'true', 'and afterwards its answer is replayed')
  })

  t.test('are 409 while one of them runs', async (t) => {
    const company = (await director.get('me/')).json().company
    const end = Promise.withResolvers<void>()
    const held = server.database.shares.units.run(company, Infinity, async () => await end.promise)
    const refused: LightMyRequestResponse[] = []
    const all = Array.from({ length: 5 }, async () => await director.post('contracts/bulk/', { items: [{ folio: 'ESPERA' }] }, { 'idempotency-key': 'espera' }))
    for (const one of all) one.then(answer => refused.push(answer), () => {})
    await until(() => refused.length === 4)
    for (const answer of refused) t.strictSame([answer.statusCode, answer.json()], [409, running])
    end.resolve()
    await held
    oneMade(t, await Promise.all(all))
    t.equal(await folios('ESPERA'), 1)
  })

  t.test('on two servers create one record', async (t) => {
    for (let round = 1; round <= 5; round++) {
      const create = async (client: typeof director) => await client.post('contracts/', { folio: `DOS-${round}` }, { 'idempotency-key': `dos ${round}` })
      const bulk = async (client: typeof director) => await client.post('contracts/bulk/', { items: [{ folio: `TRES-${round}` }] }, { 'idempotency-key': `tres ${round}` })
      const clients = [director, twin, director, twin, twin]
      const [creates, bulks] = await Promise.all([Promise.all(clients.map(create)), Promise.all(clients.map(bulk))])
      oneMade(t, creates)
      oneMade(t, bulks)
      t.strictSame([await folios(`DOS-${round}`), await folios(`TRES-${round}`)], [1, 1])
    }
    t.equal((await twin.post('contracts/', { folio: 'UNA-1' }, { 'idempotency-key': 'una 1' })).headers['idempotency-replayed'], 'true', 'answers of the other server are replayed')
  })

  t.test('with different bodies execute only the first', async (t) => {
    const answers = await Promise.all(['A', 'B', 'C', 'D'].map(async (letter, index) => await (index % 2 === 0 ? director : twin).post('contracts/', { folio: `OTRA-${letter}` }, { 'idempotency-key': 'otra' })))
    t.strictSame(answers.map(({ statusCode }) => statusCode).filter(status => status === 201), [201])
    for (const { statusCode } of answers) t.ok([201, 409, 422].includes(statusCode), String(statusCode))
    t.equal((await psql("select from contracts where folio like 'OTRA-%'")).length, 1)
  })

  t.test('do not delay other keys, users and routes', async (t) => {
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, async (_, index) => await director.post('contracts/', { folio: `LIBRE-${index}` }, { 'idempotency-key': `libre ${index}` })),
      coordinador.post('contracts/', { folio: 'LIBRE-A' }, { 'idempotency-key': 'libre 0' }),
      director.post('contrapartes/', { nombre: 'LIBRE' }, { 'idempotency-key': 'libre 0' })
    ])
    t.strictSame(answers.map(({ statusCode }) => statusCode), Array(10).fill(201))
  })

  t.test('with new keys share transactions, but for those that are refused', async (t) => {
    const units: unknown[] = []
    const note = (unit: unknown) => { units.push(unit) }
    unitsOfWork.start.subscribe(note)
    t.teardown(() => unitsOfWork.start.unsubscribe(note))
    const create = async (folio: string, key: string) => await director.post('contracts/', { folio }, { 'idempotency-key': key })
    const answers = await Promise.all(Array.from({ length: 8 }, async (_, index) => await create(`JUNTAS-${index}`, `juntas ${index}`)))
    t.strictSame(answers.map(({ statusCode }) => statusCode), Array(8).fill(201))
    t.equal(units.length, 0)
    const [made, refused] = await Promise.all([create('JUNTAS-8', 'juntas 8'), create('JUNTAS-1', 'juntas 9')])
    t.strictSame([made.statusCode, refused.statusCode, refused.json().codes, units.length], [201, 400, { folio: ['unique'] }, 1])
    const again = await create('JUNTAS-2', 'juntas 2')
    t.strictSame([again.statusCode, again.headers['idempotency-replayed'], again.body, units.length], [201, 'true', answers[2]?.body, 2])
  })

  t.test('can execute again after a failure', async (t) => {
    const answers = await Promise.all(Array.from({ length: 6 }, async () => await director.post('contracts/', { folio: 'UNA-1' }, { 'idempotency-key': 'falla' })))
    for (const { statusCode } of answers) t.ok([400, 409].includes(statusCode), String(statusCode))
    t.ok(answers.some(({ statusCode }) => statusCode === 400))
    t.equal((await director.post('contracts/', { folio: 'YA-NO-FALLA' }, { 'idempotency-key': 'falla' })).statusCode, 201)
  })
})

type Tap = Pick<typeof t, 'equal' | 'strictSame' | 'ok'>
