import t from 'tap'
import { countersHere } from '../../../src/limits/counters.ts'
import { Failures } from '../../../src/limits/failures.ts'
import { LogInAttempts } from '../../../src/limits/log-ins.ts'

const minute = 60_000
const hour = 60 * minute

const now = performance.now
let at = hour
performance.now = () => at
t.teardown(() => { performance.now = now })

/** Limits with `free` failures of each kind, and the queries about known addresses. */
function attempts (free: { pair?: number, account?: number, address?: number }, known: string[] = []) {
  const queries: string[] = []
  const failures = (most = Infinity, forgotten = hour) => new Failures(countersHere(), { free: most, first: minute, forgotten })
  const all = new LogInAttempts(
    { pairs: failures(free.pair, minute), accounts: failures(free.account), addresses: failures(free.address) },
    {
      async has (account, address) { queries.push(account); return known.includes(`${account} ${address}`) },
      async add (account, address) { known.push(`${account} ${address}`) }
    },
    (...parts) => parts.join(' '))
  const make = async (account: string, address: string, outcome: Promise<'in' | undefined>) => await all.make(account, address, async () => await outcome, wait => new Error(String(wait)))
    .then(outcome => outcome ?? 'failed', (error: Error) => Number(error.message) / 1000)
  return {
    queries,
    make,
    fail: async (account: string, address: string) => await make(account, address, Promise.resolve(undefined)),
    enter: async (account: string, address: string) => await make(account, address, Promise.resolve('in'))
  }
}

t.test('waits double with each failure after the free ones, per account, per address, and per account and address', async (t) => {
  for (const kind of ['pair', 'account', 'address'] as const) {
    const { fail } = attempts({ [kind]: 2 })
    t.equal(await fail('ana', 'here'), 'failed')
    for (const wait of [60, 120, 240, 480, 960, 1920, 3600, 3600]) {
      t.equal(await fail('ana', 'here'), 'failed')
      t.equal(await fail('ana', 'here'), wait, kind)
      at += wait * 1000 - 1
      t.equal(await fail('ana', 'here'), 0.001, kind)
      at += 1
    }
    at += hour + 1
    t.strictSame([await fail('ana', 'here'), await fail('ana', 'here')], ['failed', 'failed'], `${kind}: failures are forgotten an hour after the last wait`)
  }
})

t.test('a known address waits for its own failures only', async (t) => {
  const { queries, enter, fail } = attempts({ pair: 3, account: 2, address: 2 }, ['ana office', 'ana home'])
  for (const address of ['office', 'office']) t.equal(await fail('eva', address), 'failed')
  t.strictSame([await enter('zoe', 'office'), await enter('zoe', 'elsewhere'), await enter('ana', 'office')], [60, 'in', 'in'], 'an address with failures')
  t.strictSame([await enter('eva', 'elsewhere'), await fail('ana', 'street'), await fail('ana', 'street')], [60, 'failed', 'failed'])
  t.strictSame([await enter('ana', 'elsewhere'), await enter('ana', 'home')], [60, 'in'], 'an account with failures')
  for (const outcome of ['failed', 'failed', 'failed', 60]) t.equal(await fail('ana', 'office'), outcome)
  const before = queries.length
  t.equal(await fail('ana', 'office'), 60)
  t.equal(queries.length, before, 'no query if its own failures decide')
})

t.test('a failure from a known address delays no other address', async (t) => {
  const { enter, fail } = attempts({ pair: 10, account: 2, address: 2 }, ['ana office', 'eva office'])
  for (const account of ['ana', 'eva', 'ana', 'eva']) t.equal(await fail(account, 'office'), 'failed')
  t.strictSame([await enter('zoe', 'office'), await enter('ana', 'elsewhere')], ['in', 'in'])
})

t.test('concurrent attempts are limited like sequential ones, over any number of addresses and accounts', async (t) => {
  for (const [kind, spread] of [['account', (number: number) => ['ana', `host-${number}`]], ['address', (number: number) => [`ana-${number}`, 'here']]] as const) {
    const { fail } = attempts({ pair: 10, [kind]: 3 })
    const outcomes = await Promise.all(Array.from({ length: 12 }, async (_, number) => await fail(...spread(number) as [string, string])))
    t.equal(outcomes.filter(outcome => outcome === 'failed').length, 3, kind)
  }
})

t.test('correct credentials are accepted, however many attempts are in progress', async (t) => {
  const { enter } = attempts({ address: 2 })
  const outcomes = await Promise.all(Array.from({ length: 20 }, async (_, number) => await enter(`ana-${number}`, 'office')))
  t.ok(outcomes.every(outcome => outcome === 'in'))
})

t.test('a known address does not wait for unanswered attempts from other addresses', async (t) => {
  const { enter, make } = attempts({ address: 1 }, ['ana office'])
  const slow = Promise.withResolvers<undefined>()
  const stranger = make('eva', 'office', slow.promise)
  t.equal(await enter('ana', 'office'), 'in')
  slow.resolve(undefined)
  t.equal(await stranger, 'failed')
})
