import t from 'tap'
import { retrying } from '../../../../src/database/connection/postgres-sql.ts'

const failure = (code: string) => Object.assign(new Error(code), { code })

t.test('a transaction is repeated after a deadlock or a serialization failure, until it succeeds', async (t) => {
  const failures = ['40001', '40P01', '40001']
  let runs = 0
  const result = await retrying(async () => {
    runs++
    const code = failures.shift()
    if (code !== undefined) throw failure(code)
    return 'done'
  })
  t.same([result, runs], ['done', 4])
})

t.test('the number of attempts is limited', async (t) => {
  let runs = 0
  await t.rejects(retrying(async () => {
    runs++
    throw failure('40P01')
  }), { code: '40P01' })
  t.equal(runs, 6)
})

t.test('other errors are not retried', async (t) => {
  for (const code of ['23505', '57P01', '08006', '57014', '55P03', '40003', 'ECONNRESET']) {
    let runs = 0
    await t.rejects(retrying(async () => {
      runs++
      throw failure(code)
    }), { code })
    t.equal(runs, 1, code)
  }
})
