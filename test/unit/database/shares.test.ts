import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { divideConnections, isolatingPool, loneSql } from '../../../src/database/shares.ts'
import type { Row, Sql, Statement } from '../../../src/database/sql.ts'
import { type BatchRequest, readTurn, type BatchQuery } from '../../../src/database/turns.ts'
import { writeTurn } from '../../../src/database/write-turn.ts'
import { Crowded, longestWait } from '../../../src/database/turn.ts'

/** A fake database that answers on command, or fails immediately with a lock timeout. */
function controlled (locked: number[] = []) {
  const underWay: Array<{ companies: number[], answer: () => void }> = []
  async function within (companies: number[], _mode: string, statements: Statement[]): Promise<Row[][]> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const run = { companies, answer: resolve }
    underWay.push(run)
    await promise
    if (underWay.includes(run)) underWay.splice(underWay.indexOf(run), 1)
    if (companies.some(company => locked.includes(company))) throw Object.assign(new Error('lock timeout'), { code: '55P03' })
    return statements.map(({ values }) => (values[0] as unknown[]).map((_, index) => ({ i: index + 1 })))
  }
  const lockedOf = (companies: unknown) => locked.filter(company => (companies as number[]).includes(company)).map(company => ({ company }))
  const sql: Sql = { query: async statement => statement.text.includes('locked_companies') ? lockedOf(statement.values[0]) : (await within([], '', [statement]))[0] as Row[], within }
  return { sql, underWay, of: (company: number) => underWay.filter(({ companies }) => companies.includes(company)).length }
}

const settle = async () => { for (let n = 0; n < 10; n++) await nextTurn() }
const [unnamed, named] = [{ columns: [], text: 'slow' }, { name: 'slow', slow: true, columns: [], text: 'slow' }]
const slow = (company: number, query: BatchQuery = unnamed): BatchRequest => ({ company, values: [], query })
const quick = (company: number): BatchRequest => ({ company, values: [], query: { name: 'quick', columns: [], text: 'quick' } })

t.test('slow work leaves connections to other work', async (t) => {
  for (const connections of [4, 5, 6, 7, 8, 9, 10, 11, 12, 25, 1000]) {
    const shares = divideConnections(connections)
    let taken = 0
    for (const share of [shares.slowReads, shares.slowWrites, shares.lone]) {
      for (let holder = 0; holder < connections; holder++) share.run(holder, 0, async () => { taken++; await new Promise(() => {}) }).catch(() => {})
    }
    await settle()
    t.ok(connections - taken >= (connections >= 8 ? 3 : connections >= 5 ? 2 : 1), `${taken} of ${connections}`)
  }
})

t.test('one company leaves connections of each share to others, in pools of seven or more', async (t) => {
  const never = async () => await new Promise<void>(() => {})
  const taken = (share: 'slowReads' | 'slowWrites', connections: number, companies: number[]) => {
    const shares = divideConnections(connections)
    return companies.map(company => {
      let held = 0
      for (let n = 0; n < connections; n++) shares[share].run(company, 0, async () => { held++; await never() }).catch(() => {})
      return () => held
    })
  }
  for (let connections = 4; connections <= 12; connections++) {
    for (const share of ['slowReads', 'slowWrites'] as const) {
      const [first, second] = taken(share, connections, [1, 2]) as [() => number, () => number]
      await settle()
      t.equal(first() > 0 && second() > 0, connections >= isolatingPool || (share === 'slowReads' && connections === 6), `${share} of ${connections}: ${first()} and ${second()}`)
    }
    const { retries, slowWrites } = divideConnections(connections)
    let held = 0
    for (let company = 1; company <= 12; company++) retries.run(company, 0, async () => await slowWrites.run(company, 0, async () => { held++; await never() })).catch(() => {})
    await settle()
    let isFirst = false
    slowWrites.run(0, 0, async () => { isFirst = true }).catch(() => {})
    await settle()
    t.equal(isFirst, connections >= isolatingPool, `a first attempt besides ${held} retries of ${connections}`)
  }
})

t.test('slow reads of one company leave connections to others, and common reads do not wait', async (t) => {
  const { sql, underWay, of } = controlled()
  const read = readTurn(sql, divideConnections(10))
  const answers = Array.from({ length: 20 }, async (_, n) => await read(slow(1, n % 2 === 0 ? unnamed : named)))
  await settle()
  t.equal(of(1), 2)
  answers.push(read(slow(2)), read(slow(2)))
  await settle()
  t.strictSame([of(1), of(2)], [2, 1])
  answers.push(read(quick(3)))
  await settle()
  t.equal(of(3), 1)
  for (const one of [1, 2]) {
    underWay.find(({ companies }) => companies.includes(1))?.answer()
    await settle()
    t.equal(of(1) + of(2), 3, String(one))
  }
  t.strictSame([of(1), of(2)], [1, 2], 'not all 18 waiting reads of company 1')
  while (underWay.length > 0) {
    t.ok(underWay.length <= 4)
    underWay[0]?.answer()
    await settle()
  }
  t.equal((await Promise.all(answers)).length, 23)
})

t.test('writes to locked companies use one connection per company, two in all, and are answered after the locks are released', async (t) => {
  const locked = [1, 2, 3, 4]
  const { sql, underWay, of } = controlled(locked)
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
      seen.add(run.companies[0] as number)
      run.answer()
    }
    held.push(write(quick(locked[round % 4] as number)))
  }
  t.strictSame([...seen].sort(), locked, 'each company has its own turn')
  const other = write(quick(9))
  await settle()
  t.equal(of(9), 1, 'another company is not in their turns')
  underWay.find(({ companies }) => companies.includes(9))?.answer()
  t.equal((await other).length, 1)

  locked.length = 0
  const answering = setInterval(() => { for (const run of underWay.splice(0)) run.answer() }, 1)
  t.ok((await Promise.all(held)).every(rows => rows.length === 1))
  clearInterval(answering)
  const together = [write(quick(1)), write(quick(9))]
  await settle()
  t.strictSame(underWay.map(({ companies }) => companies), [[1, 9]], 'then it shares turns with others again')
  underWay[0]?.answer()
  await Promise.all(together)
})

t.test('after its own turn an unlocked company joins the common turn again', async (t) => {
  const locked = [1]
  const { sql, underWay } = controlled(locked)
  const write = writeTurn(sql, divideConnections(10))
  const held = [1, 2, 3].map(async company => await write(quick(company)))
  const answering = setInterval(() => { for (const run of underWay.splice(0)) run.answer() }, 1)
  t.strictSame((await Promise.all(held.slice(1))).length, 2)
  clearInterval(answering)
  const writes = [1, 2, 3].map(async company => await write(quick(company)))
  await settle()
  t.ok(underWay.some(({ companies }) => companies.join() === '2,3'), 'in one turn, without the first company')
  locked.length = 0
  const ending = setInterval(() => { for (const run of underWay.splice(0)) run.answer() }, 1)
  t.ok((await Promise.all([...held, ...writes])).every(rows => rows.length === 1))
  clearInterval(ending)
})

t.test('only the locked company leaves the common turn: the others in its turn are written', async (t) => {
  const locked = [1]
  const { sql, underWay } = controlled(locked)
  const write = writeTurn(sql, divideConnections(10))
  const held = [write(quick(1))]
  const others = [2, 3, 4].map(async company => await write(quick(company)))
  await settle()
  t.strictSame(underWay.map(({ companies }) => companies), [[1, 2, 3, 4]])
  underWay[0]?.answer()
  await settle()
  t.strictSame(underWay.map(({ companies }) => companies), [[2, 3, 4]])
  const answering = setInterval(() => { for (const run of underWay.splice(0)) run.answer() }, 1)
  t.equal((await Promise.all(others)).length, 3)
  clearInterval(answering)
  held.push(...[1, 2, 3, 4].map(async company => await write(quick(company))))
  await settle()
  t.ok(underWay.some(({ companies }) => companies.join() === '2,3,4'), 'and later turns too')
  locked.length = 0
  const ending = setInterval(() => { for (const run of underWay.splice(0)) run.answer() }, 1)
  t.equal((await Promise.all(held)).length, 5)
  clearInterval(ending)
})

t.test('a write waits until its own deadline, independent of other writes in its turn', async (t) => {
  const locked = [1]
  const { sql, underWay } = controlled(locked)
  const write = writeTurn(sql, divideConnections(10))
  const answering = setInterval(() => { for (const run of underWay.splice(0)) run.answer() }, 1)
  const early = write({ ...quick(1), deadline: performance.now() + 300 })
  const late = write(quick(1))
  await t.rejects(early, new Crowded('too many requests wait for the database'))
  locked.length = 0
  t.equal((await late).length, 1)
  clearInterval(answering)
})

t.test('single statements share their connections', async (t) => {
  const { sql, underWay } = controlled()
  const lone = loneSql(sql, divideConnections(10))
  const answers = Array.from({ length: 12 }, async () => await lone.query({ text: 'select', values: [[]] }))
  await settle()
  t.equal(underWay.length, 2)
  while (underWay.length > 0) {
    underWay[0]?.answer()
    await settle()
    t.ok(underWay.length <= 2)
  }
  t.equal((await Promise.all(answers)).length, 12)
})

t.test('a single statement that gets no lock within 10 s is refused', async (t) => {
  const { sql } = controlled()
  const now = performance.now.bind(performance)
  t.teardown(() => Reflect.deleteProperty(performance, 'now'))
  const query = async () => {
    performance.now = () => now() + longestWait
    throw Object.assign(new Error('lock timeout'), { code: '55P03' })
  }
  await t.rejects(loneSql({ ...sql, query }, divideConnections(10)).query({ text: 'select', values: [] }), new Crowded('another session holds a lock'))
})
