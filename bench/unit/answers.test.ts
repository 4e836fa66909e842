import t from 'tap'
import { compare, created, page } from '../answers.ts'
import { sampleOf } from '../sample.ts'

const call = { path: '/api/v1/contracts/', headers: {} }
const sample = { reads: [{ call, status: 200 }], writes: [{ call: { ...call, method: 'POST' as const, body: '{}' }, status: 201 }] }

t.test('a page is equal for two server addresses, with and without a cursor; other pages differ', async (t) => {
  const link = (origin: string, query: string) => ({ next: `${origin}/api/v1/contracts/${query}`, previous: null, count: 3, results: [] })
  const obra = page(link('http://127.0.0.1:4001', '?cursor=abc&page=2'), 'http://127.0.0.1:4001')
  t.strictSame(obra, { next: '/api/v1/contracts/?page=2', previous: null, count: 3, results: [] })
  t.strictSame(page(link('http://127.0.0.1:4002', '?page=2'), 'http://127.0.0.1:4002'), obra)
  t.strictNotSame(page(link('http://127.0.0.1:4002', '?page=3'), 'http://127.0.0.1:4002'), obra)
  t.strictNotSame(page(link('http://localhost:4002', '?page=2'), 'http://127.0.0.1:4002'), obra, 'a link to another address is kept')
  t.strictSame(page({ id: 1, next: 'x' }, 'http://127.0.0.1:4002'), { id: 1, next: 'x' }, 'a record is not a page')
})

t.test('a new record keeps only the format of its timestamps', async (t) => {
  const record = (id: unknown, instant: string) => created({ id, folio: 'A-1', created_at: instant, updated_at: instant })
  const expected = record(1, '2026-03-01T15:04:05.123456Z')
  t.strictSame(record(22, '2027-11-20T09:40:50.000001Z'), expected)
  t.strictNotSame(record(22, '2027-11-20T09:40:50.123Z'), expected)
  t.strictNotSame(record('22', '2027-11-20T09:40:50.000001Z'), expected)
  t.equal(expected['folio'], 'A-1')
})

t.test('a difference is reported with its call', async (t) => {
  const expected = [{ count: 1 }, { monto: '1.50' }]
  compare(sample, [{ count: 1 }, { monto: '1.50' }], expected)
  t.throws(() => compare(sample, [{ count: '1' }, { monto: '1.50' }], expected), /^GET \/api\/v1\/contracts\/ got another answer/)
  t.throws(() => compare(sample, [{ count: 1 }, { monto: '1.5' }], expected), /^POST \/api\/v1\/contracts\/ {} got another answer/)
  t.throws(() => compare(sample, [{ count: 1 }, { monto: '1.50', extra: null }], expected), /extra/)
})

t.test('the sample requests records of the user\'s own company, and records of another one, which are 404', async (t) => {
  const user = (company: number) => ({ email: '', company, headers: { authorization: `Bearer ${company}.aaaaaa` } })
  const companies = new Map([[1, { contracts: [10, 11], parties: [12] }], [2, { contracts: [20, 21], parties: [22] }]])
  const { reads, writes } = sampleOf({ users: [user(1), user(2)], companies })
  const own = new Map([[10, 1], [11, 1], [20, 2], [21, 2]])
  for (const { call, status } of [...reads, ...writes]) {
    const id = /(\d+)\/$/.exec(call.path)?.[1]
    const caller = Number(/ (\d)/.exec(call.headers['authorization'] ?? '')?.[1])
    const forged = call.headers['authorization']?.endsWith('abc') === true
    if (id !== undefined) t.equal(status, forged ? 401 : own.get(Number(id)) === caller ? 200 : 404, `${call.path} for ${caller}`)
  }
  t.strictSame([...new Set([...reads, ...writes].map(({ status }) => status))].sort(), [200, 201, 400, 401, 404])
})
