import { randomUUID } from 'node:crypto'
import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { made } from './samples.ts'
import { statements } from './statements.ts'

/** Only the trigger of the sum refuses it, and with it the whole statement. */
const tooLarge = '9999999999999999.00'
const message = 'With this amount, the sum that it is part of would be too large.'
const more = 'There are more problems, which are not listed.'

t.test('items that only the database refuses are found in few statements', async (t) => {
  const { as } = await build(t, { RATE_LIMIT: 'off' })
  const director = await as('director@demo.example')
  const contract = (await made(director, 'contracts', { folio: 'MUCHOS', monto: '1000000' }))['id']
  const estimate = (await made(director, 'estimates', { contract, monto: '1000' }))['id']
  const movement = (index: number, isRefused: (index: number) => boolean) =>
    ({ estimate, tipo: 'pena', sentido: 'cargo', motivo: `M ${index}`, antes_iva: false, importe: isRefused(index) ? tooLarge : '0.01' })
  const movements = (count: number, isRefused: (index: number) => boolean) => Array.from({ length: count }, (_, index) => movement(index, isRefused))
  await made(director, 'movimientos', { ...movement(0, () => false), importe: '5.00' })
  const counted = async (path: string, body: object) => {
    statements.count = 0
    const response = await director.post(path, body)
    return { response, count: statements.count }
  }
  const written = async () => (await director.get(`movimientos/?estimate=${estimate}`)).json().count

  await t.test('each of a few, wherever it is', async (t) => {
    const few = [3, 200, 301]
    const { response, count } = await counted('movimientos/bulk/', { items: movements(400, index => few.includes(index)) })
    t.strictSame([response.statusCode, response.json().errors], [400, Object.fromEntries(few.map(index => [`items.${index}.importe`, [message]]))])
    t.ok(count < 400, `${count} statements for 3 of 400`)
    t.equal(await written(), 1)
  })

  await t.test('as many as are reported', async (t) => {
    const { response, count } = await counted('movimientos/bulk/', { items: movements(400, () => true) })
    t.equal(response.statusCode, 400)
    const { errors } = response.json()
    t.strictSame(errors, { ...Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`items.${index}.importe`, [message]])), non_field_errors: [more] })
    t.ok(count < 350, `${count} statements for 400 of 400`)
  })

  await t.test('conflicts too', async (t) => {
    const closed = (await made(director, 'contracts', { folio: 'CERRADO' }))['id']
    await director.send('PATCH', `contracts/${closed}/`, { estado: 'cancelado' })
    const { response, count } = await counted('estimates/bulk/', { items: Array.from({ length: 400 }, () => ({ contract: closed, monto: '1' })) })
    t.equal(Object.keys(response.json().errors).length >= 50, true)
    t.ok(count < 350, `${count} statements for 400 conflicts`)
  })

  await t.test('a partial bulk tries each of them once', async (t) => {
    const { response, count } = await counted('movimientos/bulk/', { partial: true, items: movements(100, index => index !== 50) })
    t.strictSame(response.json().results.flatMap((row: { errors?: object }, index: number) => row.errors === undefined ? [index] : []), [50])
    t.ok(count < 560, `${count} statements for 99 of 100`)
    t.equal(await written(), 2)
  })

  await t.test('mutations are tried once each', async (t) => {
    const mutations = movements(200, index => index !== 100).map((body, index) => ({ id: index + 1, op: 'create', resource: 'movimientos', body }))
    const { response, count } = await counted('mutations/', { device: randomUUID(), mutations })
    const results = response.json().results as Array<{ status: number, errors?: object }>
    t.strictSame(results.flatMap(({ status }, index) => status === 201 ? [index] : []), [100])
    t.ok(results.every(({ status, errors }, index) => index === 100 || (status === 400 && JSON.stringify(errors) === JSON.stringify({ importe: [message] }))))
    t.ok(count < 1100, `${count} statements for 199 of 200`)
  })

  await t.test('mutations that lookups refuse are found together', async (t) => {
    const bodies: Record<string, (index: number) => object> = {
      'taken before': () => ({ folio: 'MUCHOS' }),
      'taken by another mutation': index => ({ folio: `T-${index - index % 2}` }),
      'without a parent': index => ({ folio: `P-${index}`, ...index % 2 === 1 && { parent: 999_999 } }),
      'invalid by themselves': index => ({ folio: `I-${index}`, ...index % 2 === 1 && { monto: 'x' } })
    }
    for (const [name, body] of Object.entries(bodies)) {
      const mutations = Array.from({ length: 200 }, (_, index) => ({ id: index + 1, op: 'create', resource: 'contracts', body: body(index) }))
      const { response, count } = await counted('mutations/', { device: randomUUID(), mutations })
      const isValid = (index: number) => name !== 'taken before' && index % 2 === 0
      t.ok(response.json().results.every(({ status }: { status: number }, index: number) => status === (isValid(index) ? 201 : 400)), name)
      t.ok(count < 120, `${count} statements for 200 mutations ${name}`)
    }
    const missing = Array.from({ length: 200 }, (_, index) => ({ id: index + 1, op: 'update', resource: 'contracts', record: 900_000 + index, body: { monto: '1' } }))
    const { response, count } = await counted('mutations/', { device: randomUUID(), mutations: missing })
    t.ok(response.json().results.every(({ status }: { status: number }) => status === 404))
    t.ok(count < 120, `${count} statements for 200 missing records`)
  })
})
