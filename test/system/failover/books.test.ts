import t from 'tap'
import { Books } from './books.ts'

const open = () => {
  const books = new Books(7, [2, 1], 10, 3)
  const row = (id: number, mark: string, monto = '0.00') => ({ resource: 'contracts', id, mark, monto })
  const rows = [row(1, 'one'), row(2, 'two'), row(3, 'counter')]
  return { books, row, rows }
}

t.test('an acknowledged create must exist with its id, exactly once', async (t) => {
  const { books, row, rows } = open()
  t.equal(books.create('M', 10), undefined)
  t.equal(books.create('M', 10), undefined, 'a replayed answer')
  t.match(books.create('M', 11), /M was created as 10 and as 11/)
  books.create('M', 10)
  const known = books.acknowledged()
  t.strictSame(books.audit([...rows, row(10, 'M')], known), { lost: [], doubled: [] })
  t.strictSame(books.audit(rows, known).lost, ['lost: M was acknowledged as 10'])
  t.strictSame(books.audit([...rows, row(11, 'M')], known).lost, ['lost: M was acknowledged as 10'], 'another record')
  t.strictSame(books.audit([...rows, row(10, 'M'), row(11, 'M')], known).doubled, ['doubled: M exists 2 times'])
})

t.test('a create that is acknowledged after the state was taken may be absent', async (t) => {
  const { books, rows } = open()
  const known = books.acknowledged()
  books.create('M', 10)
  t.strictSame(books.audit(rows, known), { lost: [], doubled: [] })
})

t.test('amounts must not fall below the acknowledged ones', async (t) => {
  const { books, row, rows } = open()
  const first = books.ledger.raised.get(2)
  if (first === undefined) throw new Error('no number')
  books.ledger.raise([first], 5)()
  books.increment(6)
  const known = books.acknowledged()
  t.strictSame(books.audit(rows, known).lost, ['lost: contract 2 has 0 after 5 was acknowledged', 'lost: contract 3 has 0 after 7 was acknowledged'])
  t.strictSame(books.audit([row(1, 'one'), row(2, 'two', '5.00'), row(3, 'counter', '8.00')], known).lost, [])
  const estimate = { ...row(1, 'estimate'), resource: 'estimates' }
  t.strictSame(books.audit([estimate, row(2, 'two', '5.00'), row(3, 'counter', '8.00')], known).lost, ['lost: contract 1 has NaN after 0 was acknowledged'])
})

t.test('If-Match admits one increment of each value', async (t) => {
  const { books } = open()
  t.equal(books.increment(0), undefined)
  t.equal(books.increment(1), undefined)
  t.equal(books.increment(0), 'If-Match accepted two increments of 0')
})
