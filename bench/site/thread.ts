import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { User } from '../../test/support/trial/data.ts'
import { pick, randomFrom } from '../../test/support/trial/random.ts'
import { Caller } from '../caller.ts'
import { amountOf, bulkItems, concepts, decimal, paidEstimates, randomLine, type Site, type WrittenLine } from './contract.ts'
import { erpBulks, sendBulk } from './erp.ts'

/** What the thread gets. */
export interface WorksData {
  url: string
  /** One for each phone, and three others. */
  users: User[]
  site: Site
}

/** A message to the thread: work for some seconds, and authorize some estimates. */
export interface WorksPhase {
  seconds: number
  authorizations: number
}

/** The answer of the thread. */
export interface WorksDone {
  /** Times in ms by kind of request. */
  times: Map<string, number[]>
  /** Lines of this phase, by phone. */
  lines: WrittenLine[][]
  /** Number of estimates that are authorized. */
  authorized: number
  /** The last pass of each bulk of the ERP. */
  passes: number[]
}

const { url, users, site } = workerData as WorksData
const callers = users.map(user => new Caller({ url }, user))
const [director, erp, office, ...phones] = callers as [Caller, Caller, Caller, ...Caller[]]
const { contract, prices, estimates, drafts } = site
const ids = [...prices.keys()]
const random = randomFrom(3)
const passes = erpBulks.map(() => 0)
let authorized = paidEstimates
let times = new Map<string, number[]>()

async function timed<T> (kind: string, request: () => Promise<T>): Promise<T> {
  const began = performance.now()
  const answer = await request()
  const known = times.get(kind)
  if (known === undefined) times.set(kind, [performance.now() - began])
  else known.push(performance.now() - began)
  return answer
}

function expectEqual (what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what} is ${found}, not ${expected}`)
}

/** Adds lines, one after the other. */
async function measureLines (phone: Caller, estimate: number, end: number): Promise<WrittenLine[]> {
  const lines: WrittenLine[] = []
  while (performance.now() < end) {
    const { line, body } = randomLine(ids, random)
    const made = await timed('phone: one line', async () => await phone.post('generadores/', { estimate, ...body }))
    expectEqual('the quantity of a line', made.cantidad, `${line.quantity}.0000`)
    lines.push(line)
  }
  return lines
}

/** Authorizes the next estimates, at equal intervals. */
async function authorize (count: number, seconds: number): Promise<void> {
  const began = performance.now()
  for (let nth = 0; nth < count; nth++) {
    await sleep(Math.max(0, began + nth * seconds * 1000 / count - performance.now()))
    const estimate = estimates[authorized]
    if (estimate === undefined) throw new Error('all estimates are authorized')
    const path = `estimates/${estimate.id}/`
    await timed('Director: submission', async () => await director.patch(path, { estado: 'enviada' }))
    const { estado, monto } = await timed('Director: authorization', async () => await director.patch(path, { estado: 'autorizada' }))
    expectEqual('the state of an estimate', estado, 'autorizada')
    expectEqual('the amount of an estimate', monto, decimal(amountOf(estimate, prices)))
    authorized++
  }
}

async function sendBulks (end: number): Promise<void> {
  while (performance.now() < end) {
    for (const [index, bulk] of erpBulks.entries()) {
      const pass = (passes[index] ?? 0) + 1
      await timed(`ERP: bulk of ${bulkItems} ${bulk.resource}`, async () => await sendBulk(erp, bulk, site, pass))
      passes[index] = pass
    }
  }
}

/** Opens pages, one after the other. */
async function read (end: number): Promise<void> {
  const page = async (kind: string, path: string, count?: number) => {
    const answer = await timed(`office: ${kind}`, async () => await office.get(path))
    if (count !== undefined) expectEqual(`the count of ${path}`, answer.count, count)
  }
  while (performance.now() < end) {
    const { id, lines, quantities } = pick(estimates, random)
    await page('200 lines of an estimate', `generadores/?estimate=${id}&page_size=200`, lines)
    await page('200 concepts of an estimate', `estimates/${id}/conceptos/?page_size=200`, quantities.size)
    const number = 1 + Math.floor(random() * concepts / 200)
    await page('200 of all concepts, accumulated', `estimates/${id}/conceptos/?todos=true&page_size=200&page=${number}`, concepts)
    await page('progress', `contracts/${contract}/avance/`)
    await page('statement of account', `contracts/${contract}/estado-de-cuenta/`)
  }
}

parentPort?.on('message', async ({ seconds, authorizations }: WorksPhase) => {
  times = new Map()
  const end = performance.now() + seconds * 1000
  const [lines] = await Promise.all([
    Promise.all(phones.map(async (phone, index) => await measureLines(phone, drafts[index]?.id ?? NaN, end))),
    authorize(authorizations, seconds),
    sendBulks(end),
    read(end)
  ])
  parentPort?.postMessage({ times, lines, authorized, passes } satisfies WorksDone)
})
