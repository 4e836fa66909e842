import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'
import { refuses } from '../../../../../support/invalid.ts'

const overlaps = { periodo_inicio: ['The period overlaps the period of another estimate of the contract.'] }

t.test('the period of an estimate', async (t) => {
  const { director, contract, estimate, send, change } = await estimating(t)
  const period = (start: string | null, end: string | null) => ({ periodo_inicio: start, periodo_fin: end })
  const post = async (id: number, of: object, language = 'en') => await director.post('estimates/', { contract: id, ...of }, { 'accept-language': language })

  await t.test('has both ends or neither, in order', async (t) => {
    const id = await contract()
    const none = await estimate(id)
    const cases: Array<[object, object, object]> = [
      [{ periodo_inicio: '2026-01-01' }, { periodo_fin: ['Send both periodo_inicio and periodo_fin, or neither.'] }, { periodo_fin: ['Envíe periodo_inicio y periodo_fin, o ninguno de los dos.'] }],
      [{ periodo_fin: '2026-01-01' }, { periodo_inicio: ['Send both periodo_inicio and periodo_fin, or neither.'] }, { periodo_inicio: ['Envíe periodo_inicio y periodo_fin, o ninguno de los dos.'] }],
      [period('2026-01-02', '2026-01-01'), { periodo_fin: ['periodo_fin may not be before periodo_inicio.'] }, { periodo_fin: ['periodo_fin no puede ser anterior a periodo_inicio.'] }]
    ]
    for (const [fields, english, spanish] of cases) {
      for (const [language, errors] of [['en', english], ['es', spanish]] as const) {
        for (const response of [await post(id, fields, language), await send(none['id'], fields, language)]) {
          t.equal(response.statusCode, 400)
          t.strictSame(response.json().errors, errors)
        }
      }
    }
    t.match(await estimate(id, period('2026-01-01', '2026-01-01')), period('2026-01-01', '2026-01-01'), 'a single day is a period')
    const half = await estimate(id, period('2026-02-01', '2026-02-28'))
    for (const fields of [{ periodo_inicio: null }, { periodo_fin: null }]) t.equal((await send(half['id'], fields)).statusCode, 400)
    t.match(await change(half['id'], period(null, null)), period(null, null))
  })

  await t.test('overlaps no other of its contract, both ends included; the day after is available', async (t) => {
    const [id, other] = [await contract(), await contract()]
    await estimate(id, period('2026-03-10', '2026-03-20'))
    const overlapping = [['2026-03-01', '2026-03-10'], ['2026-03-20', '2026-03-31'], ['2026-03-12', '2026-03-13'], ['2026-03-01', '2026-03-31'], ['2026-03-10', '2026-03-20']]
    for (const [start, end] of overlapping as Array<[string, string]>) {
      refuses(t, await post(id, period(start, end)), overlaps, `${start} ${end}`)
    }
    for (const [start, end] of [['2026-03-01', '2026-03-09'], ['2026-03-21', '9999-12-31'], ['0001-01-01', '2026-02-28']] as const) {
      t.equal((await post(id, period(start, end))).statusCode, 201, `${start} ${end}`)
    }
    t.equal((await post(other, period('2026-03-10', '2026-03-20'))).statusCode, 201, 'another contract has its own periods')
    t.equal((await post(id, {})).statusCode, 201, 'without a period there is no overlap')
  })

  await t.test('of a rejected or cancelled estimate is available', async (t) => {
    const id = await contract()
    for (const state of ['cancelada', 'rechazada', 'borrador']) {
      await estimate(id, period('2026-04-01', '2026-04-30'), state)
    }
    t.equal((await post(id, period('2026-04-30', '2026-05-01'))).statusCode, 400, 'the draft uses it now')
    for (const state of ['enviada', 'autorizada', 'pagada']) {
      const one = await contract()
      await estimate(one, period('2026-04-01', '2026-04-30'), state)
      t.strictSame((await post(one, period('2026-04-30', '2026-05-01'))).json().errors, overlaps, state)
    }
  })

  await t.test('is checked again when a rejected estimate becomes a borrador', async (t) => {
    const id = await contract()
    const rejected = await estimate(id, period('2026-06-01', '2026-06-30'), 'rechazada')
    const taker = await estimate(id, period('2026-06-30', '2026-07-31'))
    const refused = await send(rejected['id'], { estado: 'borrador' })
    t.equal(refused.statusCode, 400)
    t.strictSame(refused.json().errors, overlaps)
    t.strictSame((await send(rejected['id'], { estado: 'borrador' }, 'es')).json().errors, { periodo_inicio: ['El periodo se traslapa con el de otra estimación del contrato.'] })
    await change(taker['id'], period('2026-07-01', '2026-07-31'))
    t.match(await change(rejected['id'], { estado: 'borrador' }), { estado: 'borrador', ...period('2026-06-01', '2026-06-30') })
  })

  await t.test('can be moved over its old place, but not onto another', async (t) => {
    const id = await contract()
    const moved = await estimate(id, period('2026-08-01', '2026-08-15'))
    await estimate(id, period('2026-09-01', '2026-09-30'))
    t.match(await change(moved['id'], period('2026-08-10', '2026-08-31')), period('2026-08-10', '2026-08-31'))
    t.match(await change(moved['id'], { periodo_inicio: '2026-08-01' }), period('2026-08-01', '2026-08-31'))
    t.strictSame((await send(moved['id'], { periodo_fin: '2026-09-01' })).json().errors, overlaps)
  })

  await t.test('is used once by concurrent creates and updates', async (t) => {
    for (let round = 0; round < 3; round++) {
      const id = await contract()
      const drafts = []
      for (let n = 0; n < 5; n++) drafts.push((await estimate(id))['id'])
      const wanted = (n: number) => period(`2026-10-0${n + 1}`, '2026-10-15')
      const answers = await Promise.all([
        ...round === 1 ? [] : drafts.map(async (draft, n) => await send(draft, wanted(n))),
        ...round === 0 ? [] : drafts.map(async (_, n) => await post(id, wanted(n)))
      ])
      t.equal(answers.filter(({ statusCode }) => statusCode === 200 || statusCode === 201).length, 1)
      for (const answer of answers.filter(({ statusCode }) => statusCode >= 400)) {
        t.equal(answer.statusCode, 400)
        t.strictSame(answer.json().errors, overlaps)
      }
    }
  })
})
