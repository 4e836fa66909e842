import t, { type Test } from 'tap'
import { Book } from './book.ts'
import type { Expectation, Known, Shown } from './shown.ts'

const company = 7
const row = (id: number, monto: number, party = 0) => ({ id, company, monto: `${monto}.00`, contraparte: `T-V-${party}` })
const passing = (id: number) => ({ id, company, monto: '0.00', contraparte: null })
const made = (id: number) => ({ id, folio: `F-${id}`, monto: '0.00' })

/** The book of a company with 10 records, where writers change records 2 and 1, and a function that asserts its verdict. */
function openBook (t: Test) {
  const book = new Book(company, 'T-', 8)
  book.create(2)([made(2), made(1)], true)
  const judges = (fault: RegExp | undefined, shown: Partial<Shown>, expected: Expectation = {}, known: Known = book.known()) => {
    const verdict = book.judge({ status: 200, etag: `"${company}.1.x."`, rows: [], ...shown }, known, expected)
    if (fault === undefined) t.equal(verdict, undefined)
    else t.match(verdict, fault)
  }
  return { book, first: book.amountOf(2), judges }
}

t.test('a number lies between the highest acknowledged before the read and the highest sent', async (t) => {
  const { book, first, judges } = openBook(t)
  const before = book.known()
  const done = book.raise([first], 1)
  for (const monto of [0, 1]) judges(undefined, { rows: [row(2, monto)] })
  judges(/contract 2 has 2 when 1 was the highest sent/, { rows: [row(2, 2)] })
  judges(/contract 2 has NaN/, { rows: [{ ...row(2, 1), monto: 'none' }] })
  done()
  judges(/contract 2 has 0 after 1 was acknowledged/, { rows: [row(1, 0), row(2, 0)] })
  judges(undefined, { rows: [row(1, 0), row(2, 1)] })
  judges(undefined, { rows: [row(2, 0)] }, {}, before)
})

t.test('the counterparty of a contract is as fresh as the contract', async (t) => {
  const { book, judges } = openBook(t)
  book.raise([book.party], 3)()
  judges(undefined, { rows: [row(1, 0, 3)] })
  judges(/contract 1's counterparty has 0 after 3 was acknowledged/, { rows: [row(1, 0)] })
  judges(/contract 1's counterparty has 4 when 3/, { rows: [row(1, 0, 4)] })
  judges(/contract 1 has counterparty null/, { rows: [{ ...row(1, 0), contraparte: null }] })
})

t.test('a list is complete and in order', async (t) => {
  const { judges } = openBook(t)
  judges(undefined, { rows: [row(2, 0), row(1, 0)] }, { ids: [2, 1] })
  judges(/contracts 1,2 instead of 2,1/, { rows: [row(1, 0), row(2, 0)] }, { ids: [2, 1] })
  judges(/contracts 2 instead of 2,1/, { rows: [row(2, 0)] }, { ids: [2, 1] })
  judges(undefined, { rows: [row(2, 0)], count: 1 }, { count: 1 })
  judges(/count is 0 after 1/, { count: 0 }, { count: 1 })
  judges(/count is 2 when 1/, { count: 2 }, { count: 1 })
})

t.test('a record exists from its acknowledged create until its delete is sent, and never after the delete is acknowledged', async (t) => {
  const { book, judges } = openBook(t)
  const before = book.known()
  const created = book.create(1)
  judges(undefined, { count: 10 })
  judges(undefined, { rows: [passing(11), row(2, 0), row(1, 0)], count: 11 }, { newest: 3 })
  judges(/count is 12 when 11/, { count: 12 })
  created([made(11)])
  judges(/count is 10 after 11/, { count: 10 })
  judges(undefined, { count: 10 }, {}, before)
  judges(/no contract 11 among 2,1/, { rows: [row(2, 0), row(1, 0)] }, { newest: 3 })
  judges(/no contract 11 among 2,1/, { rows: [row(2, 0), row(1, 0)] }, { newest: 2 })
  judges(undefined, { rows: [passing(13), passing(12)] }, { newest: 2 })
  judges(undefined, { rows: [row(2, 0), row(1, 0)] }, { newest: 3 }, before)
  judges(/no contract 11/, { status: 404 }, { record: 11 })
  judges(undefined, { status: 404 }, { record: 11 }, before)
  judges(/no contract 2/, { status: 404 }, { record: 2 })
  judges(/contract 2 instead of 11/, { rows: [row(2, 0)] }, { record: 11 })

  const deleted = book.remove(11)
  const during = book.known()
  for (const count of [10, 11]) judges(undefined, { count })
  judges(undefined, { status: 404 }, { record: 11 })
  judges(undefined, { rows: [passing(11)] }, { record: 11 })
  deleted()
  judges(/contract 11 was deleted/, { rows: [passing(11)] }, { record: 11 })
  judges(undefined, { rows: [passing(11)], count: 11 }, { record: 11 }, during)
  judges(/count is 11 when 10/, { count: 11 })
  judges(/count is 9 after 10/, { count: 9 })
})

t.test('revisions do not decrease, and no record of another company appears', async (t) => {
  const { book, judges } = openBook(t)
  const early = book.known()
  judges(undefined, { etag: '"7.5.x."' })
  judges(/ETag "7.4.x." after revision 5 was seen/, { etag: '"7.4.x."' })
  judges(undefined, { etag: '"7.4.x."' }, {}, early)
  judges(/ETag "8.9.x." is not company 7's/, { etag: '"8.9.x."' })
  judges(/ETag undefined is not company 7's/, { etag: undefined })
  judges(/contract 2 is company 8's/, { rows: [{ ...row(2, 0), company: 8 }] })
})

t.test('an error answer is a fault', async (t) => {
  const { judges } = openBook(t)
  judges(/answered 500/, { status: 500 })
  judges(/answered 404/, { status: 404 }, { ids: [] })
})

t.test('If-Match admits one increment of each value, and a repeated create answers one id', async (t) => {
  const { book } = openBook(t)
  t.strictSame([0, 1, 0].map(value => book.increment(value)), [undefined, undefined, 'If-Match accepted two increments of 0'])
  t.strictSame([11, 11, 12].map(id => book.create(1)([{ ...made(id), folio: 'M' }])), [undefined, undefined, 'contract M was created as 11 and as 12'])
  t.strictSame([3, 4].map(id => book.keep('estimates', id, 'M', {})), [undefined, 'estimates M was created as 3 and as 4'])
})
