import t, { type Test } from 'tap'
import { Device } from '../../support/device.ts'
import { audit, copyFaults, type Stored } from './audit.ts'
import { Book } from './book.ts'

/** A book with two contracts, an estimate and a counterparty, their rows, and a function that asserts what is found in changed rows. */
function open (t: Test) {
  const book = new Book(7, 'T-', 0)
  book.create(2)([{ id: 1, folio: 'T-1', monto: '0.00' }, { id: 2, folio: 'T-2', monto: '5.00' }])
  book.keep('estimates', 3, 'T-3', { numero: 1, estado: 'borrador' })
  book.keep('contrapartes', 4, 'T-4', { notas: '' })
  const rows: Stored[] = [
    { resource: 'contracts', id: 1, mark: 'T-1', fields: { monto: 0 } },
    { resource: 'contracts', id: 2, mark: 'T-2', fields: { monto: 5 } },
    { resource: 'estimates', id: 3, mark: 'T-3', fields: { numero: 1, estado: 'borrador' } },
    { resource: 'contrapartes', id: 4, mark: 'T-4', fields: { notas: '' } }
  ]
  const finds = (wanted: RegExp[], changed: Stored[], { known = book.known(), hasEnded = true } = {}) => {
    const faults = audit(book, changed, known, hasEnded)
    t.equal(faults.length, wanted.length, faults.join('\n'))
    t.match(faults, wanted)
  }
  /** The rows, one of them with other values. */
  const rowsWith = (index: number, other: Partial<Stored>) => rows.with(index, { ...rows[index], ...other })
  return { book, rows, finds, rowsWith }
}

t.test('every acknowledged record exists with its fields', async (t) => {
  const { rows, finds, rowsWith } = open(t)
  finds([], rows)
  for (const [index, name] of ['contract 1', 'contract 2', 'estimates 3', 'contrapartes 4'].entries()) {
    finds([new RegExp(`^company 7: lost: ${name} was acknowledged as T-${index + 1}, and is undefined`)], rows.toSpliced(index, 1))
    finds([new RegExp(`lost: ${name} was acknowledged as`)], rowsWith(index, { mark: 'T-9' }))
  }
  finds([/contract 2 has 4 after 5 was acknowledged/], rowsWith(1, { fields: { monto: 4 } }))
  finds([/contract 2 has 6 when 5 was the highest sent/], rowsWith(1, { fields: { monto: 6 } }))
  finds([/estimates 3 is \{"estado":"enviada"\}, and was acknowledged as \{"estado":"borrador"\}/], rowsWith(2, { fields: { numero: 1, estado: 'enviada' } }))
  finds([/contrapartes 4 is/], rowsWith(3, { fields: { notas: 'x' } }))
})

t.test('no record exists that was not acknowledged, or twice', async (t) => {
  const { rows, finds } = open(t)
  const extra: Stored = { resource: 'contracts', id: 9, mark: 'T-9', fields: { monto: 0 } }
  finds([/never acknowledged, or twice: contracts 9/], [...rows, extra])
  finds([/doubled: contracts T-1 exists 2 times/, /never acknowledged, or twice/], [...rows, { ...extra, mark: 'T-1' }])
  finds([], [...rows, extra], { hasEnded: false })
})

t.test('a deleted record is gone; while writers write, later creates, deletions and changes count neither way', async (t) => {
  const { book, rows, finds } = open(t)
  const known = book.known()
  const removed = book.remove(1)
  book.create(1)([{ id: 9, folio: 'T-9', monto: '0.00' }])
  const raised = book.raise([book.amountOf(2)], 8)
  for (const some of [rows, rows.slice(1)]) finds([], some, { known, hasEnded: false })
  finds([], rows.with(1, { ...rows[1], fields: { monto: 8 } }), { known, hasEnded: false })
  raised()
  removed()
  finds([/never acknowledged, or twice: contracts 1/, /contract 2 has 5 after 8/, /contract 9/].sort(), rows, { known: book.known() })
})

t.test('the copy of the change feed equals the database', async (t) => {
  const device = new Device(async () => ({ statusCode: 200, json: () => ({}) }))
  device.records.set('contracts/1', { id: 1, version: 2 })
  const faultsFor = async (version: number) => await copyFaults(device, 7, async text => text.includes('from contracts') ? [{ id: 1, version }] : [])
  t.strictSame(await faultsFor(2), [])
  t.strictSame(await faultsFor(3), ['the change feed of company 7: the copy differs from the database in 1 records, such as contracts/1'])
})
