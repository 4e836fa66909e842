import fc from 'fast-check'
import t from 'tap'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { contractsCase, contractsExamples, contrapartesCase, estimatesCase, estimatesExamples, nextStates, period } from './bulk-cases.ts'
import { twins, type Item, type Name, type Twins } from './bulk-twins.ts'

/** Cases per resource. A few of them are enough to find a faulty bulk. */
const times = 30

const start = Date.now()

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

/** An answer without ids and times, which differ between the companies. Whether an estimate has a time of authorization stays. */
function timeless ({ id, company, contract, parent, contraparte_id: party, created_at: created, updated_at: updated, ...rest }: Row): Row {
  return typeof rest['autorizada_en'] === 'string' ? { ...rest, autorizada_en: 'a time' } : rest
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
      const isAuthorized = (of: number) => existing.some(({ contract, estado }) => contract === of && estado === 'autorizada')
      for (const [index, { estado }] of contracts.entries()) await pair.setState(name(index), estado === 'cancelado' && isAuthorized(index) ? 'terminado' : estado)
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
