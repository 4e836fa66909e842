import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { divideConnections } from '../../../../src/database/turns/shares.ts'
import { Crowded } from '../../../../src/database/turns/crowded.ts'
import { writeTurn } from '../../../../src/database/turns/write-turn.ts'
import { fakeDatabase, quick, settle } from './fake-database.ts'

/** Answers all statements until the returned function is called. */
function answerAll (underWay: ReturnType<typeof fakeDatabase>['underWay']): () => void {
  const timer = setInterval(() => { for (const run of underWay.splice(0)) run.answer() }, 1)
  return () => clearInterval(timer)
}

t.test('writes to locked companies use one connection per company, two in all, and are answered after the locks are released', async (t) => {
  const locked = [1, 2, 3, 4]
  const { sql, underWay, of } = fakeDatabase(locked)
  const write = writeTurn(sql, divideConnections(10))
  const held = locked.flatMap(company => Array.from({ length: 5 }, async () => await write(quick(company))))
  await settle()
  t.equal(underWay.length, 1, 'all in one turn')
  underWay[0]?.answer()
  const seen = new Set<number>()
  for (let round = 0; round < 20; round++) {
    await sleep(10)
    t.ok(underWay.length <= 2)
    for (const company of locked) t.ok(of(company) <= 1)
    for (const run of underWay.splice(0)) {
      seen.add(run.companies[0])
      run.answer()
    }
    held.push(write(quick(locked[round % 4])))
  }
  t.strictSame([...seen].sort(), locked, 'each company has its own turn')
  const other = write(quick(9))
  await settle()
  t.equal(of(9), 1, 'another company is not in their turns')
  underWay.find(({ companies }) => companies.includes(9))?.answer()
  t.equal((await other).length, 1)

  locked.length = 0
  const stop = answerAll(underWay)
  t.ok((await Promise.all(held)).every(rows => rows.length === 1))
  stop()
  const together = [write(quick(1)), write(quick(9))]
  await settle()
  t.strictSame(underWay.map(({ companies }) => companies), [[1, 9]], 'then it shares turns with others again')
  underWay[0]?.answer()
  await Promise.all(together)
})

t.test('after its own turn an unlocked company joins the common turn again', async (t) => {
  const locked = [1]
  const { sql, underWay } = fakeDatabase(locked)
  const write = writeTurn(sql, divideConnections(10))
  const held = [1, 2, 3].map(async company => await write(quick(company)))
  const stop = answerAll(underWay)
  t.strictSame((await Promise.all(held.slice(1))).length, 2)
  stop()
  const writes = [1, 2, 3].map(async company => await write(quick(company)))
  await settle()
  t.ok(underWay.some(({ companies }) => companies.join() === '2,3'), 'in one turn, without the first company')
  locked.length = 0
  const end = answerAll(underWay)
  t.ok((await Promise.all([...held, ...writes])).every(rows => rows.length === 1))
  end()
})

t.test('only the locked company leaves the common turn: the others in its turn are written', async (t) => {
  const locked = [1]
  const { sql, underWay } = fakeDatabase(locked)
  const write = writeTurn(sql, divideConnections(10))
  const held = [write(quick(1))]
  const others = [2, 3, 4].map(async company => await write(quick(company)))
  await settle()
  t.strictSame(underWay.map(({ companies }) => companies), [[1, 2, 3, 4]])
  underWay[0]?.answer()
  await settle()
  t.strictSame(underWay.map(({ companies }) => companies), [[2, 3, 4]])
  const stop = answerAll(underWay)
  t.equal((await Promise.all(others)).length, 3)
  stop()
  held.push(...[1, 2, 3, 4].map(async company => await write(quick(company))))
  await settle()
  t.ok(underWay.some(({ companies }) => companies.join() === '2,3,4'), 'and later turns too')
  locked.length = 0
  const end = answerAll(underWay)
  t.equal((await Promise.all(held)).length, 5)
  end()
})

t.test('a write waits until its own deadline, independent of other writes in its turn', async (t) => {
  const locked = [1]
  const { sql, underWay } = fakeDatabase(locked)
  const write = writeTurn(sql, divideConnections(10))
  const stop = answerAll(underWay)
  const early = write({ ...quick(1), deadline: performance.now() + 300 })
  const late = write(quick(1))
  await t.rejects(early, new Crowded('too many requests wait for the database', { key: 'otherWrites' }))
  locked.length = 0
  t.equal((await late).length, 1)
  stop()
})
