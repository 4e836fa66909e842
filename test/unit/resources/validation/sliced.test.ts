import t from 'tap'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { type Problem, type ValidationError, mostMessages } from '../../../../src/http/errors.ts'
import { prepareMutations } from '../../../../src/resources/mutations/prepare.ts'
import type { Mutation } from '../../../../src/resources/mutations/schemas.ts'
import { parseExactJson, parseInSlices } from '../../../../src/resources/validation/exact-json.ts'
import { compileSliced, isSliced } from '../../../../src/resources/validation/sliced.ts'
import { None } from '../../../support/none.ts'

const schema: object = contracts.schemas.bulk
if (!isSliced(schema)) throw new Error('a bulk is validated in slices')
const validate = compileSliced(schema)
const problemsOf = async (body: unknown): Promise<Problem[]> => await validate(body).then(() => [], (error: ValidationError) => error.problems)
const items = (length: number, make: (index: number) => object) => ({ items: Array.from({ length }, (_, index) => make(index)) })
const slow = '\u0301\u0323a'.repeat(600)

/** Runs a work and counts the turns of the event loop meanwhile. */
async function turnsOf (work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let goesOn = true
  const count = () => {
    turns++
    if (goesOn) setImmediate(count)
  }
  setImmediate(count)
  await work()
  goesOn = false
  return turns
}

t.test('a list with more problems than a 400 lists is not validated to its end', async (t) => {
  const body = items(1000, index => ({ folio: ` ${index} `, a: 1, b: 1 }))
  const problems = await problemsOf(body)
  t.equal(problems.length, mostMessages + 3)
  t.match(problems.at(-2), { field: 'items.250.b', key: 'unknownField' })
  t.strictSame(problems.at(-1), { field: 'non_field_errors', key: 'moreProblems' }, 'the answer says that there are more')
  t.match(body.items[999], { folio: ' 999 ' }, 'the last item is not read')
  t.strictSame(await problemsOf(items(250, index => ({ folio: `${index}`, a: 1, b: 1 }))), Array.from({ length: 500 }, (_, index) => ({ field: `items.${Math.floor(index / 2)}.${'ab'[index % 2]}`, key: 'unknownField', values: undefined })), 'all that fit are listed')
})

t.test('problems have the path of the item, also for special names and items of other types', async (t) => {
  const body = parseExactJson('{"items":[{"folio":"a","non_field_errors":1},1.50,null,{"folio":["b"]}],"x":1}')
  t.strictSame((await problemsOf(body)).map(({ field, key }) => `${field} ${key}`), ['x unknownField', 'items.0.non_field_errors unknownField', 'items.1 notObject', 'items.2 null', 'items.3.folio notString'])
  t.strictSame((await problemsOf({ items: 1 })).map(({ field, key }) => `${field} ${key}`), ['items notList'])
})

t.test('other requests run while a large body is parsed and validated, and while mutations are prepared', async (t) => {
  const text = JSON.stringify(items(1000, () => Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, 'x'.repeat(200)]))))
  t.ok(await turnsOf(async () => { t.strictSame(await parseInSlices(text, 'customer 1'), JSON.parse(text)) }) > 1)
  t.ok(await turnsOf(async () => { t.strictSame(await problemsOf(items(1000, () => ({ folio: 'x', descripcion: slow }))), []) }) > 1)
  const mutations = Array.from({ length: 200 }, (_, index) => ({ id: index + 1, op: 'create' as const, resource: 'contracts', body: { folio: 'x', descripcion: slow, notas: [{}] } }))
  t.ok(await turnsOf(async () => { t.equal((await prepareMutations([contracts], { company: 1, zone: 'UTC' }, mutations, 'customer 1')).length, 200) }) > 1)
})

t.test('mutations are validated without the database, and refs wait for it', async (t) => {
  const [made, changed, removed] = await prepareMutations([contracts], { company: 1, zone: 'UTC' }, [
    { id: 1, op: 'create', resource: 'contracts', body: { folio: ' A ', monto: '-1', parent: { ref: 'c1' } } },
    { id: 2, op: 'update', resource: 'contracts', record: 7, body: { folio: 'B', parent: { ref: ['c1'] } }, base: { folio: ['C'] } },
    { id: 3, op: 'delete', resource: 'contracts', record: 7 }
  ] as unknown as Mutation[], 'customer 1')
  t.match(made, { op: 'create', body: { input: { values: { folio: 'A', parent: 1 }, problems: [{ field: 'monto', key: 'minValue' }] }, refs: { parent: { resource: 'contracts', value: { ref: 'c1' } } } } })
  t.match(changed, {
    op: 'update',
    body: { input: { values: { folio: 'B' }, problems: [{ field: 'parent', key: 'incorrectPk' }] }, refs: None },
    base: { input: { values: None, problems: [{ field: 'folio', key: 'notString' }] } }
  })
  t.match(removed, { op: 'delete', body: undefined, base: undefined })
})

const inSlices = async (text: string) => await parseInSlices(text, 'customer 1')

t.test('parsing in slices has the results and errors of parsing at once', async (t) => {
  const outcome = async (parse: (text: string) => unknown, text: string) => await Promise.resolve().then(async () => await parse(text)).catch(error => ({ refused: error.problems ?? error.statusCode }))
  const many = (length: number) => `[${'1,'.repeat(length - 2)}1]`
  for (const text of ['{"a":[1,{"b":null}],"c":1.50}', '1.50', '[', '{"a":1,}', '[[],{},""]', '{"__proto__":1}', many(1000), many(1001), many(5000), many(66_000), many(66_001), many(70_000), `${many(3000)}x`]) {
    t.strictSame(await outcome(inSlices, text), await outcome(parseExactJson, text), text.slice(0, 40))
  }
  t.match(await outcome(inSlices, many(66_001)), { refused: 413 })
  t.type(await outcome(inSlices, many(66_000)), Array)
})
