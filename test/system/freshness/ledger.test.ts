import t, { type Test } from 'tap'
import { Ledger, partyName, type Expectation, type Known, type Shown } from './ledger.ts'

const company = 7
const row = (id: number, monto: number, party = 0) => ({ id, company, monto: `${monto}.00`, contraparte: partyName(company, party) })
const passing = (id: number) => ({ id, company, monto: '0.00', contraparte: null })

/** A ledger of a company with 10 records, where writers change records 2 and 1, and a function that asserts its verdict. */
function openLedger (t: Test) {
  const ledger = new Ledger(company, [2, 1], 10)
  const [first, second] = [...ledger.raised.values()]
  if (first === undefined || second === undefined) throw new Error('no numbers')
  const judges = (fault: RegExp | undefined, shown: Partial<Shown>, expected: Expectation = {}, known: Known = ledger.known()) => {
    const verdict = ledger.judge({ status: 200, etag: `"${company}.1.x."`, rows: [], ...shown }, known, expected)
    if (fault === undefined) t.equal(verdict, undefined)
    else t.match(verdict, fault)
  }
  return { ledger, first, second, judges }
}

t.test('a number lies between the highest acknowledged before the read and the highest sent', async (t) => {
  const { ledger, first, judges } = openLedger(t)
  const before = ledger.known()
  const done = ledger.raise([first], 1)
  for (const monto of [0, 1]) judges(undefined, { rows: [row(2, monto)] })
  judges(/contract 2 has 2 when 1 was the highest sent/, { rows: [row(2, 2)] })
  judges(/contract 2 has NaN/, { rows: [{ ...row(2, 1), monto: 'none' }] })
  done()
  judges(/contract 2 has 0 after 1 was acknowledged/, { rows: [row(1, 0), row(2, 0)] })
  judges(undefined, { rows: [row(1, 0), row(2, 1)] })
  judges(undefined, { rows: [row(2, 0)] }, {}, before)
})

t.test('the counterparty of a contract is as fresh as the contract', async (t) => {
  const { ledger, judges } = openLedger(t)
  ledger.raise([ledger.party], 3)()
  judges(undefined, { rows: [row(1, 0, 3)] })
  judges(/contract 1's counterparty has 0 after 3 was acknowledged/, { rows: [row(1, 0)] })
  judges(/contract 1's counterparty has 4 when 3/, { rows: [row(1, 0, 4)] })
  judges(/contract 1 has counterparty null/, { rows: [{ ...row(1, 0), contraparte: null }] })
})

t.test('a list is complete and in order', async (t) => {
  const { judges } = openLedger(t)
  judges(undefined, { rows: [row(2, 0), row(1, 0)] }, { ids: [2, 1] })
  judges(/contracts 1,2 instead of 2,1/, { rows: [row(1, 0), row(2, 0)] }, { ids: [2, 1] })
  judges(/contracts 2 instead of 2,1/, { rows: [row(2, 0)] }, { ids: [2, 1] })
  judges(undefined, { rows: [row(2, 0)], count: 1 }, { count: 1 })
  judges(/count is 0 after 1/, { count: 0 }, { count: 1 })
  judges(/count is 2 when 1/, { count: 2 }, { count: 1 })
})

t.test('a record exists from its acknowledged create until its delete is sent, and never after the delete is acknowledged', async (t) => {
  const { ledger, judges } = openLedger(t)
  const before = ledger.known()
  const created = ledger.create(1)
  judges(undefined, { count: 10 })
  judges(undefined, { rows: [passing(11)], count: 11 }, { newest: 3 })
  judges(/count is 12 when 11/, { count: 12 })
  created([11])
  judges(/count is 10 after 11/, { count: 10 })
  judges(undefined, { count: 10 }, {}, before)
  judges(/no contract 11 among 2,1/, { rows: [row(2, 0), row(1, 0)] }, { newest: 3 })
  judges(/no contract 11 among 2,1/, { rows: [row(2, 0), row(1, 0)] }, { newest: 2 })
  judges(undefined, { rows: [passing(13), passing(12)] }, { newest: 2 })
  judges(undefined, { rows: [] }, { newest: 2 }, before)
  judges(/no contract 11/, { status: 404 }, { record: 11 })
  judges(undefined, { status: 404 }, { record: 11 }, before)
  judges(/no contract 2/, { status: 404 }, { record: 2 })
  judges(/contract 2 instead of 11/, { rows: [row(2, 0)] }, { record: 11 })

  const deleted = ledger.remove(11)
  const during = ledger.known()
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
  const { ledger, judges } = openLedger(t)
  const early = ledger.known()
  judges(undefined, { etag: '"7.5.x."' })
  judges(/ETag "7.4.x." after revision 5 was seen/, { etag: '"7.4.x."' })
  judges(undefined, { etag: '"7.4.x."' }, {}, early)
  judges(/ETag "8.9.x." is not company 7's/, { etag: '"8.9.x."' })
  judges(/ETag undefined is not company 7's/, { etag: undefined })
  judges(/contract 2 is company 8's/, { rows: [{ ...row(2, 0), company: 8 }] })
})

t.test('an error answer is a fault', async (t) => {
  const { judges } = openLedger(t)
  judges(/answered 500/, { status: 500 })
  judges(/answered 404/, { status: 404 }, { ids: [] })
})
