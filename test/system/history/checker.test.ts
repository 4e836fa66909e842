import fc from 'fast-check'
import t from 'tap'
import { readTag, type Act, type History } from './act.ts'
import { broken } from './broken.ts'
import { faultsOf } from './checker.ts'
import { StandIn } from './stand-in.ts'

t.test('a correct history has no fault', async (t) => {
  await fc.assert(fc.asyncProperty(fc.nat(1_000_000), async (seed) => {
    t.strictSame(faultsOf(await new StandIn(seed).history(seed, 150)), [])
  }), { numRuns: 15 })
})

for (const [name, expected, Server] of broken) {
  t.test(`a server that ${name} is detected`, async (t) => {
    // Not every history contains an occasion for the fault.
    const faults: string[] = []
    for (let seed = 1; seed <= 15 && !faults.some(fault => expected.test(fault)); seed++) faults.push(...faultsOf(await new Server(seed).history(seed, 400)))
    t.match(faults.find(fault => expected.test(fault)), expected, `among ${faults.length} faults, such as ${faults[0]}`)
  })
}

/** Falsifications of a history. Each returns whether the history contained something to falsify. */
const forgeries: Record<string, (history: History, place: number) => boolean> = {
  'a field of a record': ({ acts }, place) => {
    const read = nth(acts.filter(({ status, answer }) => status === 200 && answer.monto !== undefined), place)
    if (read === undefined) return false
    read.answer = { ...read.answer, monto: `${Number(read.answer.monto) + 1}.00` }
    return true
  },
  'a row of a list': ({ acts }, place) => {
    const list = nth(acts.filter(({ method, answer }) => method === 'GET' && answer?.results?.length > 0), place)
    if (list === undefined) return false
    list.answer = { ...list.answer, results: list.answer.results.slice(1) }
    return true
  },
  'the moment of a read': ({ acts }, place) => {
    const read = nth(acts.filter(({ method, status, etag }) => method === 'GET' && status === 200 && readTag(etag).revision > 1), place)
    if (read === undefined) return false
    Object.assign(read, { sent: acts.length * 2, answered: acts.length * 2 + 1 })
    return acts.some(({ method, status, etag }) => method === 'GET' && status === 200 && readTag(etag).revision > readTag(read.etag).revision)
  },
  'a read before its time': ({ acts }, place) => {
    const read = nth(acts.filter(({ method, status, etag }) => method === 'GET' && status === 200 && readTag(etag).revision > 3), place)
    if (read === undefined) return false
    Object.assign(read, { sent: 1, answered: 2 })
    return true
  },
  'a line of the log': ({ log }, place) => log.splice(place % log.length, 1).length > 0,
  'a write without an act': ({ acts }, place) => {
    const write = nth(acts.filter(({ method, status, replayed }) => method !== 'GET' && status < 300 && !replayed), place)
    acts.splice(acts.indexOf(write as Act), 1)
    return true
  },
  'a row at the end': ({ rows: { contracts } }, place) => {
    contracts.splice(place % contracts.length, 1, { ...nth(contracts, place), version: 1000 })
    return true
  }
}

const nth = <T>(list: T[], place: number): T | undefined => list[place % list.length]

t.test('a falsified history is detected', async (t) => {
  await fc.assert(fc.asyncProperty(fc.nat(1_000_000), fc.nat(), fc.constantFrom(...Object.keys(forgeries)), async (seed, place, what) => {
    const history = structuredClone(await new StandIn(seed).history(seed, 120))
    if (forgeries[what]?.(history, place) !== true) return
    t.not(faultsOf(history).length, 0, what)
  }), { numRuns: 60 })
})
