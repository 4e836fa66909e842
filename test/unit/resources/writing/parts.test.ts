import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { inParts } from '../../../../src/resources/writing/in-order.ts'
import { estimating } from '../../../support/estimating.ts'
import { messages } from '../../../../src/http/messages.ts'

t.test('other requests run between parts of 500 items, and the results keep the order of the items', async (t) => {
  const items = Array.from({ length: 1201 }, (_, index) => index)
  const rests: number[] = []
  let begun = 0
  const pause = async () => {
    rests.push(begun)
    await nextTurn()
  }
  const results = await inParts(pause, items, async (item, index) => {
    begun++
    await Promise.resolve()
    return [item, index]
  })
  t.strictSame(rests, [500, 1000, 1201])
  t.strictSame(results, items.map(item => [item, item]))
  for (const length of [0, 1, 500]) {
    rests.length = 0
    t.equal((await inParts(pause, items.slice(0, length), item => item)).length, length)
    t.strictSame(rests, [], 'few items, which can hold locks, do not wait for others')
  }
  await t.rejects(inParts(() => undefined, items, item => { if (item === 700) throw new Error('refused') }), { message: 'refused' })
})

t.test('the items of a bulk of several parts are checked with one another', async (t) => {
  const { director, contract } = await estimating(t)
  const id = await contract()
  const row = (index: number, more: object = {}) => ({ contract: id, clave: `C-${index}`, unidad: 'm', cantidad: '1', precio_unitario: '2', ...more })
  const rows = Array.from({ length: 1201 }, (_, index) => row(index))
  const bulk = async (path: string, body: object) => await director.post(`${path}/bulk/`, body)

  const twin = await bulk('conceptos', { items: [...rows, row(3)] })
  t.match([twin.statusCode, twin.json().errors], [400, { 'items.1201.clave': [messages.en.unique] }])
  const partial = await bulk('conceptos', { partial: true, items: [...rows.slice(0, 700), row(3), row(700, { unidad: '' }), row(701)] })
  const { results } = partial.json()
  t.strictSame(results.map(({ errors }: { errors?: object }) => errors).filter(Boolean), [{ clave: [messages.en.unique] }, { unidad: [messages.en.blank] }])
  t.strictSame(results.slice(698, 703).map(({ clave }: { clave?: string | string[] }) => clave), ['C-698', 'C-699', undefined, undefined, 'C-701'])

  const changed = await bulk('conceptos', { upsert: 'clave', items: rows.map(one => ({ ...one, cantidad: '3' })) })
  t.equal(changed.statusCode, 201, changed.body.slice(0, 300))
  t.strictSame(changed.json().results.map(({ clave, cantidad }: { clave: string, cantidad: string }) => [clave, Number(cantidad)]), rows.map(({ clave }) => [clave, 3]))

  const tree = Array.from({ length: 900 }, (_, index) => ({ folio: `F-${index}`, external_id: `E-${index}`, ...index >= 600 ? { parent: { external_id: `E-${index - 600}` } } : {} }))
  const made = await bulk('contracts', { items: tree })
  t.equal(made.statusCode, 201, made.body.slice(0, 300))
  const ids = made.json().results.map((one: { id: number }) => one.id)
  t.strictSame(made.json().results.slice(600).map((one: { parent: number }) => one.parent), ids.slice(0, 300))
})
