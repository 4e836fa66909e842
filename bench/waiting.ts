import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readData, renewed } from '../test/support/trial/data.ts'
import { makeDatabase } from '../test/support/trial/database.ts'
import { megabyte, type Usage } from '../test/support/trial/machine.ts'
import { startInspected } from '../test/support/trial/start-obra.ts'
import type { Server } from '../test/support/trial/server.ts'
import { Caller } from './caller.ts'
import { withFlags } from './flags.ts'
import { inspect } from './profile.ts'
import { quantiles, Report } from './report.ts'

const help = `node bench/waiting.ts [options]

Opens connections on which requests wait for changes of one company, and prints the memory of the server before and after, its CPU time
while they wait, and the time until all have the answer after one write. Exits with 1 if an answer is not 200 with the change.

  --connections N   waiting requests (10000); needs as many open files in each process
  --seconds N       measures the CPU time for so long, if the wait allows it (20)
  --embedded        use the embedded database
`

/** Longest wait that a request can ask for, in seconds. */
const maxWaitSeconds = 30
/** Connections that are opened before a pause of 10 ms. */
const atOnce = 20

/** Heap of the server in MB: live objects, and memory of buffers outside the heap. */
interface Heap {
  used: number
  buffers: number
}

/** The live heap, after a garbage collection. */
async function heapOf (server: Server): Promise<Heap> {
  using inspected = await inspect(server.inspector as string)
  await inspected.ask('HeapProfiler.collectGarbage')
  const { usedSize, backingStorageSize } = await inspected.ask('Runtime.getHeapUsage')
  return { used: usedSize / megabyte, buffers: backingStorageSize / megabyte }
}

/** A connection on which a request waits. */
interface Waiter {
  socket: Socket
  /** The complete answer, and when it arrived, by `performance.now()`. */
  answer: Promise<{ text: string, at: number }>
}

/** Opens a connection and sends a request that waits. The answer of a lost connection is an empty text. */
async function wait (caller: Caller, cursor: string): Promise<Waiter> {
  const socket = await caller.open(`changes/?cursor=${cursor}`, { 'Accept-Encoding': 'gzip', Prefer: `wait=${maxWaitSeconds}` })
  // A short answer arrives in one packet.
  const text = once(socket, 'data').then(([bytes]) => String(bytes), () => '')
  return { socket, answer: text.then(text => ({ text, at: performance.now() })) }
}

const inMemory = ({ memory }: Usage, { used, buffers }: Heap) => ({
  MB: memory / megabyte, 'MB of live heap': used, 'MB of buffers': buffers
})

async function waiting (connections: number, seconds: number, embedded: boolean): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await makeDatabase({ embedded }, 'obra_waiting', { companies: 20, contracts: 20_000, users: 100 }))
  // One customer's waits can use four fifths of the connections.
  const most = String(Math.ceil(connections / 0.8))
  const limits = { MAX_CONNECTIONS: most, CUSTOMER_CONNECTIONS_PERCENT: '100', WAITS_PER_USER: String(connections) }
  const server = stack.use(await startInspected(database, limits))
  const { users } = await readData(server.url, database.tokens.map(token => renewed(token)))
  const { company } = users[0]
  const own = users.filter(user => user.company === company).map(user => new Caller(server, user))
  const [writer] = own as [Caller, ...Caller[]]
  const cursor = await writer.end()
  await sleep(1000)
  const before = server.usage()
  const report = new Report('waiting', database.kind)
  report.add('before', inMemory(before, await heapOf(server)))

  const began = performance.now()
  const waiters: Waiter[] = []
  while (waiters.length < connections) {
    const count = Math.min(atOnce, connections - waiters.length)
    const callers = Array.from({ length: count }, (_, n) => own[(waiters.length + n) % own.length])
    waiters.push(...await Promise.all(callers.map(async caller => await wait(caller, cursor))))
    await sleep(10)
  }
  await sleep(1000)
  // The first requests must still wait when the write follows.
  const measured = Math.min(seconds, maxWaitSeconds - 4 - (performance.now() - began) / 1000)
  if (measured < 1) throw new Error('opening the connections took too long: use fewer --connections')
  const start = server.usage()
  await sleep(measured * 1000)
  const end = server.usage()
  const more = ({ memory }: Usage) => ({ MB: (memory - before.memory) / megabyte })
  report.add('with waiting requests', inMemory(end, await heapOf(server)))
  const waiting = `${connections.toLocaleString('en')} waiting requests`
  report.add(waiting, { ...more(end), '% of a core': (end.cpu - start.cpu) / measured * 100 })
  report.add(`${waiting}, after a garbage collection`, more(server.usage()))

  const idle = server.usage()
  const sent = performance.now()
  await writer.post('contracts/', { folio: 'WAITING' })
  const written = performance.now()
  const answers = await Promise.all(waiters.map(async ({ answer }) => await answer))
  report.add('the write', { ms: written - sent })
  report.add('answers after the write', quantiles(answers.map(({ at }) => at - written)))
  const over = server.usage()
  report.add('all answers', { 'CPU s': over.cpu - idle.cpu })
  report.add('after the answers', { MB: over.memory / megabyte })
  const isRight = (text: string) => text.startsWith('HTTP/1.1 200') && /^content-encoding: gzip\r$/m.test(text)
  const wrong = answers.filter(({ text, at }) => !isRight(text) || at < sent).length
  if (wrong > 0) process.exitCode = 1
  report.add('wrong answers', { answers: wrong })
  report.keep()
  for (const { socket } of waiters) socket.destroy()
}

await withFlags(help, { connections: [10_000, 20_000], seconds: [20, 25] }, ['embedded'], async (flags) => {
  await waiting(flags.connections, flags.seconds, flags.embedded)
})
