import { randomUUID } from 'node:crypto'
import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { made } from './samples.ts'
import { statements } from './statements.ts'

/** Only the trigger of the sum refuses it, and with it the whole statement. Lookups find it afterwards. */
const tooLarge = '9999999999999999.00'
const message = 'With this amount, the sum that it is part of would be too large.'

/** A trigger that no lookup knows refuses a movement with this tipo. */
const unknown = 'impuesto'
const unknownMessage = 'These values break a rule of the data.'
const more = 'There are more problems, which are not listed.'

t.test('items that only the database refuses are found in few statements', async (t) => {
  const { as, psql } = await build(t, { RATE_LIMIT: 'off' })
  const director = await as('director@demo.example')
  const contract = (await made(director, 'contracts', { folio: 'MUCHOS', monto: '1000000' }))['id']
  const estimate = (await made(director, 'estimates', { contract, monto: '1000' }))['id']
  const movement = (index: number, isRefused: (index: number) => boolean) =>
    ({ estimate, tipo: 'pena', sentido: 'cargo', motivo: `M ${index}`, antes_iva: false, importe: isRefused(index) ? tooLarge : '0.01' })
  const movements = (count: number, isRefused: (index: number) => boolean) => Array.from({ length: count }, (_, index) => movement(index, isRefused))
  const refusedByUnknown = (count: number, isRefused: (index: number) => boolean) =>
    movements(count, () => false).map((item, index) => isRefused(index) ? { ...item, tipo: unknown } : item)
  await psql(`create function refuse_kind() returns trigger language plpgsql as
    'begin raise exception ''refused'' using errcode = ''check_violation'', constraint = ''refused_kind''; end'`)
  await psql(`create trigger refuse_kind before insert on movimientos for each row when (new.tipo = '${unknown}') execute function refuse_kind()`)
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
    t.ok(count < 40, `${count} statements for 3 of 400`)
    t.equal(await written(), 1)
    const other = await counted('movimientos/bulk/', { items: refusedByUnknown(400, index => few.includes(index)) })
    t.equal(other.response.statusCode, 400)
    t.ok(other.count < 400, `${other.count} statements for 3 of 400 that no lookup finds`)
  })

  await t.test('all that lookups find, and 50 others', async (t) => {
    const { response, count } = await counted('movimientos/bulk/', { items: movements(400, () => true) })
    t.equal(response.statusCode, 400)
    const { non_field_errors: further, ...listed } = response.json().errors
    const found = Object.keys(listed)
    // As many as an answer has room for.
    t.ok(found.length > 300, `${found.length} items are named`)
    t.strictSame([further, listed], [[more], Object.fromEntries(found.map((_, index) => [`items.${index}.importe`, [message]]))])
    t.ok(count < 40, `${count} statements for 400 of 400`)
    const other = await counted('movimientos/bulk/', { items: refusedByUnknown(400, () => true) })
    t.equal(other.response.statusCode, 400)
    t.strictSame(other.response.json().errors, { non_field_errors: [more], ...Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`items.${index}.non_field_errors`, [unknownMessage]])) })
    t.ok(other.count < 350, `${other.count} statements for 400 that no lookup finds`)
  })

  await t.test('items that earlier ones leave no room', async (t) => {
    const full = (await made(director, 'estimates', { contract, monto: '1000' }))['id']
    const items = movements(400, index => index % 2 === 0).map(item => ({ ...item, estimate: full }))
    const { response, count } = await counted('movimientos/bulk/', { partial: true, items: items.map(item => item.importe === tooLarge ? { ...item, importe: '6000000000000000.00' } : item) })
    const results = response.json().results as Array<{ errors?: object }>
    t.ok(results.every(({ errors }, index) => index === 0 || index % 2 === 1 ? errors === undefined : JSON.stringify(errors) === JSON.stringify({ importe: [message] })))
    t.ok(count < 150, `${count} statements for 199 of 400`)
    const percentages = Array.from({ length: 400 }, (_, index) => ({ estimate: full, tipo: 'pena', motivo: `P ${index}`, antes_iva: false, porcentaje: '0.01' }))
    for (let round = 0; round < 2; round++) t.equal((await director.post('movimientos/bulk/', { items: percentages })).statusCode, 201)
    const last = await counted('movimientos/bulk/', { partial: true, items: percentages })
    const tooMany = (last.response.json().results as Array<{ codes?: object }>).map(({ codes }) => codes)
    t.strictSame(tooMany, Array.from({ length: 400 }, (_, index) => index < 200 ? undefined : { porcentaje: ['too_many'] }))
    t.ok(last.count < 200, `${last.count} statements for 200 of 400 percentages`)
  })

  await t.test('rows of a catalogue below what is authorized, and of a settled contract', async (t) => {
    const codesOf = (response: { json: () => { results: Array<{ codes?: object }> } }) => [...new Set(response.json().results.map(({ codes }) => JSON.stringify(codes)))]
    const rows = (count: number, of: number, price: string) =>
      Array.from({ length: count }, (_, index) => ({ contract: of, clave: `C-${index}`, unidad: 'm2', cantidad: '1', precio_unitario: price }))
    const billed = (await made(director, 'contracts', { folio: 'ESTIMADO', monto: '1000' }))['id'] as number
    const first = (await made(director, 'estimates', { contract: billed, monto: '900' }))['id']
    for (const estado of ['enviada', 'autorizada']) await director.send('PATCH', `estimates/${first}/`, { estado })
    const below = await counted('conceptos/bulk/', { items: rows(400, billed, '1'), partial: true })
    t.strictSame(codesOf(below.response), ['{"cantidad":["below_authorized"]}'])
    t.ok(below.count < 60, `${below.count} statements for 400 rows of too small a catalogue`)
    t.equal((await director.post('conceptos/bulk/', { items: rows(400, billed, '3') })).statusCode, 201, 'all rows together are enough')
    const lower = await counted('conceptos/bulk/', { items: rows(400, billed, '2.99'), upsert: 'clave', partial: true })
    t.ok(lower.response.json().results.every(({ errors }: { errors?: object }) => errors === undefined), 'a little less too')
    const final = (await made(director, 'estimates', { contract: billed, tipo: 'finiquito', monto: '0' }))['id']
    for (const estado of ['enviada', 'autorizada']) t.equal((await director.send('PATCH', `estimates/${final}/`, { estado })).statusCode, 200)
    const settled = await counted('conceptos/bulk/', { items: rows(400, billed, '5'), upsert: 'clave', partial: true })
    t.strictSame(codesOf(settled.response), ['{"cantidad":["contract_closed"]}'])
    t.ok(settled.count < 40, `${settled.count} statements for 400 rows of a settled contract`)
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
    t.ok(count < 40, `${count} statements for 99 of 100`)
    t.equal(await written(), 2)
    const other = await counted('movimientos/bulk/', { partial: true, items: refusedByUnknown(100, index => index !== 50) })
    t.strictSame(other.response.json().results.flatMap((row: { errors?: object }, index: number) => row.errors === undefined ? [index] : []), [50])
    t.ok(other.count < 560, `${other.count} statements for 99 of 100 that no lookup finds`)
  })

  await t.test('mutations are found together', async (t) => {
    const mutations = movements(200, index => index !== 100).map((body, index) => ({ id: index + 1, op: 'create', resource: 'movimientos', body }))
    const { response, count } = await counted('mutations/', { device: randomUUID(), mutations })
    const results = response.json().results as Array<{ status: number, errors?: object }>
    t.strictSame(results.flatMap(({ status }, index) => status === 201 ? [index] : []), [100])
    t.ok(results.every(({ status, errors }, index) => index === 100 || (status === 400 && JSON.stringify(errors) === JSON.stringify({ importe: [message] }))))
    t.ok(count < 120, `${count} statements for 199 of 200`)
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
