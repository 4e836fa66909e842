import fc from 'fast-check'
import t from 'tap'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { twins, type Item, type Name, type Twins } from './bulk-twins.ts'

/** Cases per resource. A few of them are enough to find a faulty bulk. */
const times = 30

const start = Date.now()

const cents = (most: number) => fc.nat(most).map(hundredths => (hundredths / 100).toFixed(2))
const currency = fc.constantFrom('MXN', 'MXN', 'USD')
const optional = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(fields, { requiredKeys: [] })
/** Items of a few records, each at most once. */
const itemsOf = <T>(slots: number, fields: fc.Arbitrary<T>) => fc.uniqueArray(fc.record({ slot: fc.nat(slots - 1), fields }), { selector: ({ slot }) => slot, minLength: 1, maxLength: 7 })

const rarely = fc.nat(19).map(chance => chance === 0)
const sometimes = fc.nat(3).map(chance => chance === 0)

const month = fc.option(fc.nat(4), { freq: 2 })
const period = (of: number | null) => of === null ? { periodo_inicio: null, periodo_fin: null } : { periodo_inicio: `2026-0${of + 1}-01`, periodo_fin: `2026-0${of + 1}-28` }

/** The usual next states of an estimate. */
const nextStates: Record<string, string[]> = {
  borrador: ['borrador', 'enviada'], enviada: ['autorizada', 'autorizada', 'autorizada', 'borrador', 'cancelada'], autorizada: ['pagada', 'autorizada'], rechazada: ['borrador']
}

const estimatesCase = fc.record({
  contracts: fc.array(fc.record({
    monto: fc.integer({ min: 80, max: 300 }).map(hundredths => (hundredths / 100).toFixed(2)),
    anticipo_porcentaje: fc.constantFrom('0', '50', '50', '50'),
    retencion_porcentaje: fc.constantFrom('0', '5'),
    estado: fc.oneof({ weight: 8, arbitrary: fc.constant('vigente') }, { weight: 2, arbitrary: fc.constantFrom('terminado', 'cancelado') })
  }), { minLength: 2, maxLength: 2 }),
  existing: fc.array(fc.record({ contract: fc.constantFrom(0, 0, 0, 1), monto: cents(60), deductivas: fc.constantFrom('0.00', '0.00', '0.01'), month, estado: fc.constantFrom('enviada', 'enviada', 'enviada', 'borrador', 'borrador', 'autorizada', 'rechazada') }), { minLength: 5, maxLength: 5 }),
  items: itemsOf(7, fc.record({
    contract: fc.nat(1),
    month: fc.option(month, { freq: 1, nil: undefined }),
    fields: optional({ monto: cents(60), deductivas: fc.constantFrom('0.00', '0.05'), descripcion: fc.constantFrom('a', 'b') }),
    choice: fc.nat(19),
    isWrong: rarely
  }))
})

const contractsCase = fc.record({
  existing: fc.array(fc.record({ parent: fc.option(fc.nat(4)), monto: cents(500), moneda: currency, billed: sometimes }), { minLength: 5, maxLength: 5 }),
  items: itemsOf(7, fc.record({
    folio: fc.nat(9),
    isRenamed: sometimes,
    parent: fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 4, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.constantFrom(null, 8) }),
    fields: optional({ monto: cents(500), contraparte: fc.nat(1), estado: fc.constantFrom('vigente', 'suspendido', 'terminado'), anticipo_porcentaje: fc.constantFrom('0.00', '50.00') }),
    moneda: fc.option(currency, { freq: 1, nil: undefined })
  }))
})

const contrapartesCase = itemsOf(7, fc.record({ nombre: fc.nat(9), isRenamed: fc.boolean(), notas: fc.constantFrom('a', 'b') }))

type Of<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never

/** An item of the first contract that changes to its first next state. */
const item = (slot: number, month?: number) => ({ slot, fields: { contract: 0, month, fields: {}, choice: 0, isWrong: false } })
const estimatesOf = (estado: 'enviada' | 'borrador', montos: string[], items: Array<ReturnType<typeof item>>): Of<typeof estimatesCase> => ({
  contracts: [0, 1].map(() => ({ monto: '1.00', anticipo_porcentaje: '50', retencion_porcentaje: '0', estado: 'vigente' })),
  existing: montos.map((monto, index) => ({ contract: index > 2 ? 1 : 0, monto, deductivas: '0.00', month: estado === 'enviada' ? null : index, estado })),
  items
})
/** Cases that random ones may lack, each with its outcome. */
const estimatesExamples = [
  estimatesOf('enviada', ['0.45', '0.45', '0.10', '0', '0'], [2, 1, 0].map(slot => item(slot))), // written: the advance is used in the order of the items
  estimatesOf('enviada', ['0.45', '0.45', '0.45', '0', '0'], [2, 1, 0].map(slot => item(slot))), // the last one exceeds the contract
  estimatesOf('borrador', ['0', '0', '0', '0', '0'], [item(5, 4), item(6, 4)]), // two creates of one period
  estimatesOf('borrador', ['0', '0', '0', '0', '0'], [item(0, 3), item(5, 0)]), // written: a period is released and taken
  estimatesOf('borrador', ['0', '0', '0', '0', '0'], [item(5, 0), item(0, 3)]) // it is taken before it is released
]
const moved = (slot: number, parent?: number, folio?: number) => ({ slot, fields: { folio: folio ?? 0, isRenamed: folio !== undefined, parent, fields: {}, moneda: undefined } })
const contractsExamples = [
  [moved(2, 1), moved(0, 2), moved(1, undefined, 9)], // a cycle
  [moved(0, undefined, 9), moved(1, undefined, 0), moved(5, undefined, 1)], // written: folios are released and taken
  [moved(0, undefined, 9), moved(5, undefined, 1), moved(1, undefined, 0)] // one is taken before it is released
].map((items): Of<typeof contractsCase> => ({ existing: [null, 0, null, null, null].map(parent => ({ parent, monto: '1.00', moneda: 'MXN', billed: false })), items }))

/** Sends the items as a bulk to one company and one by one to the other, and compares. @returns the outcome in one or two words */
async function compare ({ inBulk, oneByOne, records, drawn }: Twins, tag: string, name: Name, items: Item[]): Promise<string> {
  const [before, same] = await records(tag)
  const ids = JSON.stringify(await drawn())
  if (before !== same) throw new Error('the two companies differ before the bulk')
  const bulk = await inBulk(name, items)
  const drawnByBulk = JSON.stringify(await drawn()) !== ids
  const single = await oneByOne(name, items)
  const [after, expected] = await records(tag)
  const story = `\n${JSON.stringify(items)}\nin bulk ${JSON.stringify({ ...bulk, results: undefined })}\none by one ${JSON.stringify({ ...single, results: undefined })}`

  if (single.refused === undefined) {
    if (bulk.status !== 201) throw new Error(`the bulk is refused, but the single requests are not${story}`)
    if (after !== expected) throw new Error(`the records differ${story}\n${after}\n${expected}`)
    const [shown, expectedResults] = [bulk.results, single.results].map(results => JSON.stringify(results.map(timeless)))
    if (shown !== expectedResults) throw new Error(`the answers differ${story}\n${shown}\n${expectedResults}`)
    return after === before ? 'unchanged' : 'written'
  }
  if (bulk.status === 201) throw new Error(`the bulk is written, but a single request is refused${story}`)
  if (after !== before) throw new Error(`a refused bulk changed records${story}\n${before}\n${after}`)
  if (drawnByBulk) throw new Error(`a refused bulk used ids${story}`)
  // Conflicts are only reported without validation errors.
  if (single.status === 409) return 'conflict'
  if (bulk.refused !== single.refused) throw new Error(`the first refused item differs${story}`)
  // An item that is invalid by itself is checked against the data before the bulk.
  const isSound = !['estado', 'contract'].some(field => field in (single.errors ?? {}))
  if (isSound && JSON.stringify(bulk.errors) !== JSON.stringify(single.errors)) throw new Error(`the errors differ${story}`)
  return `refused ${single.refused === 0 ? 'at the first item' : 'after others'}`
}

/** Sends the items as a partial bulk to one company and one by one to the other, and compares. @returns the outcome in one or two words */
async function comparePartial ({ inPartialBulk, eachByItself, records, drawn }: Twins, tag: string, name: Name, items: Item[]): Promise<string> {
  const ids = async () => (await drawn()).reduce((sum, { last }) => sum + Number(last ?? 0), 0)
  const before = await ids()
  const bulk = await inPartialBulk(name, items)
  const used = await ids() - before
  const single = await eachByItself(name, items)
  const [after, expected] = await records(tag)
  const story = `\n${JSON.stringify(items)}\nin bulk ${JSON.stringify(bulk)}\none by one ${JSON.stringify(single)}`
  if (after !== expected) throw new Error(`the records differ${story}\n${after}\n${expected}`)
  const [shown, expectedResults] = [bulk, single].map(results => JSON.stringify(results.map(({ codes, ...row }) => timeless(row))))
  if (shown !== expectedResults) throw new Error(`the answers differ${story}\n${shown}\n${expectedResults}`)
  const isRefused = (row: Row | undefined) => row?.['errors'] !== undefined
  const created = bulk.filter(row => row['version'] === 1 && Date.parse(row['created_at']) > start).length
  if (used > created) throw new Error(`${used} ids for ${created} records${story}`)
  const first = bulk.findIndex(isRefused)
  return first === -1 ? 'written' : bulk.slice(first).every(isRefused) ? 'refused to the end' : 'written after a refusal'
}

/** An answer without ids and times, which differ between the companies. */
function timeless ({ id, company, contract, parent, contraparte_id: party, created_at: created, updated_at: updated, ...rest }: Row): Row {
  return rest
}

t.test('a bulk has the result of its items in order, and is refused if one of them is; a partial one writes the others', async (t) => {
  const pair = await twins(t)
  const seen = new Map<string, number>()
  let runs = 0
  const tagged = async (name: Name, prepare: (tag: string) => Promise<Item[]>) => {
    for (const run of [compare, comparePartial]) {
      const tag = `${name}-${++runs}-`
      const outcome = `${name} ${run === compare ? '' : 'partially '}${await run(pair, tag, name, await prepare(tag))}`
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
    }
  }

  await t.test('estimates', async (t) => {
    await fc.assert(fc.asyncProperty(estimatesCase, async ({ contracts, existing, items }) => await tagged('estimates', async (tag) => {
      const name = (of: number) => `${tag}c${of}`
      for (const [index, { estado: _, ...contract }] of contracts.entries()) await pair.insert('contracts', { external_id: name(index), folio: name(index), ...contract })
      for (const [index, { month, contract, ...estimate }] of existing.entries()) await pair.insert('estimates', { external_id: `${tag}e${index}`, contract: name(contract), ...period(month), ...estimate })
      for (const [index, { estado }] of contracts.entries()) await pair.setState(name(index), estado)
      return items.map(({ slot, fields: { contract, month, fields, choice, isWrong } }) => {
        const known = existing[slot]
        const next = known === undefined ? [] : isWrong ? Object.keys(nextStates) : nextStates[known.estado] ?? []
        return {
          external_id: `${tag}e${slot}`,
          contract: name(known?.contract ?? contract),
          ...known === undefined || known.estado === 'borrador' || isWrong ? { ...fields, ...month === undefined ? {} : period(month) } : {},
          ...next.length === 0 ? {} : { estado: next[choice % next.length] }
        }
      })
    })), { numRuns: times, endOnFailure: true, examples: estimatesExamples.map((one): [typeof one] => [one]) })
    t.end()
  })

  await t.test('contracts', async (t) => {
    await fc.assert(fc.asyncProperty(contractsCase, async ({ existing, items }) => await tagged('contracts', async (tag) => {
      const name = (of: number) => `${tag}c${of}`
      for (const party of [0, 1]) await pair.insert('contrapartes', { external_id: `${tag}p${party}`, nombre: `${tag}p${party}` })
      for (const [index, { parent, billed, ...contract }] of existing.entries()) {
        await pair.insert('contracts', { external_id: name(index), folio: name(index), ...contract, ...parent !== null && parent < index ? { parent: name(parent) } : {} })
        if (billed) await pair.insert('estimates', { external_id: `${tag}e${index}`, contract: name(index), monto: '1.00', estado: index % 2 === 0 ? 'autorizada' : 'rechazada' })
      }
      return items.map(({ slot, fields: { folio, isRenamed, parent, moneda, fields: { contraparte: party, ...fields } } }) => ({
        external_id: name(slot),
        folio: name(isRenamed ? folio : slot),
        ...fields,
        ...moneda === undefined ? {} : { moneda },
        ...parent === undefined ? {} : { parent: parent === null ? null : name(parent) },
        ...party === undefined ? {} : { contraparte: `${tag}p${party}` }
      }))
    })), { numRuns: times, endOnFailure: true, examples: contractsExamples.map((one): [typeof one] => [one]) })
    t.end()
  })

  await t.test('contrapartes', async (t) => {
    // Random items may lack one of the outcomes that must occur: written, and refused after others.
    const created = { slot: 5, fields: { nombre: 5, isRenamed: false, notas: 'a' } }
    const taken = { slot: 6, fields: { nombre: 0, isRenamed: true, notas: 'a' } }
    await fc.assert(fc.asyncProperty(contrapartesCase, async (items) => await tagged('contrapartes', async (tag) => {
      for (let index = 0; index < 5; index++) await pair.insert('contrapartes', { external_id: `${tag}p${index}`, nombre: `${tag}${index}` })
      return items.map(({ slot, fields: { nombre, isRenamed, notas } }) => ({ external_id: `${tag}p${slot}`, nombre: `${tag}${isRenamed ? nombre : slot}`, notas }))
    })), { numRuns: times / 3, endOnFailure: true, examples: [[[created]], [[created, taken]]] })
    t.end()
  })

  const happened = [...seen].map(([outcome, times]) => `${outcome} ${times}`).join(', ')
  t.comment(happened)
  for (const outcome of ['written', 'refused after others', 'written after a refusal']) t.ok([...seen.keys()].some(name => name.endsWith(outcome)), outcome)
})
