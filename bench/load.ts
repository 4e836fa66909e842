import { createHistogram } from 'node:perf_hooks'
import autocannon from 'autocannon'
import { send, type Call } from '../test/support/trial/http.ts'
import { machineCpu } from '../test/support/trial/machine.ts'
import { shuffled, type Random } from '../test/support/trial/random.ts'
import type { Server } from '../test/support/trial/server.ts'
import type { Beside } from '../test/support/trial/workload.ts'

/** A load on a server. */
export interface Load {
  calls: Call[] | (() => Call)
  /** The status that every answer must have. */
  status: number
  connections: number
  /** Seconds to measure. */
  duration: number
  /** Number of requests to send instead. */
  amount?: number
  random: Random
  /** Other requests during the measurement. They are not counted, but must succeed. */
  beside?: Beside
}

/** Results of a load. */
export interface Measured {
  /** Answers per second. */
  rate: number
  /** Median in ms. */
  p50: number
  p99: number
  answers: number
  /** Mean size of an answer with its head. */
  bytes: number
  /** All requests sent, including those of the warm-up. */
  requests: number
  /** Number of wrong statuses, failed connections and missing answers. */
  errors: number
  /** The first error. */
  firstError?: string
  /** Peak resident memory of the server, in bytes. */
  memory: number
  /** CPU cores used by the server. */
  serverCores: number
  /** CPU cores used by the load generator. Near 1, the generator limits the result. */
  loadCores: number
  /** CPU cores used by everything else on the machine: the database and other programs. */
  otherCores: number
}

/** Seconds of a warm-up. */
export const warmUp = 2
const sampleEvery = 200

/** Warms up a server, loads it, and measures it. Stops at the first error, which fails the bench. */
export async function measure (server: Server, load: Load): Promise<Measured> {
  const warm = await together(server, { ...load, duration: Math.min(warmUp, load.duration) })
  if (warm.errors > 0) return warm
  const measured = await together(server, load)
  return { ...measured, requests: warm.answers + measured.answers }
}

const besideConnections = 8

/** Loads a server without a warm-up, with the requests beside, and measures it. Their errors count. */
export async function together (server: Server, { beside, ...load }: Load): Promise<Measured> {
  if (beside === undefined) return await ask(server, load)
  const { perSecond, ...other } = beside
  const slower = { ...load, ...other, connections: besideConnections }
  const [measured, others] = await Promise.all([ask(server, load), ask(server, slower, perSecond)])
  return others.errors > 0 ? { ...measured, errors: measured.errors + others.errors, firstError: others.firstError } : measured
}

/** Sends the first request of a load. */
export async function first (server: Server, calls: Load['calls']) {
  return await send(server.url, nextOf(calls))
}

function nextOf (calls: Load['calls']): Call {
  return typeof calls === 'function' ? calls() : calls[0]
}

/** Loads a server without a warm-up, and measures it. */
export async function ask (server: Server, load: Load, overallRate?: number): Promise<Measured> {
  const { calls, status, connections, duration, amount, random } = load
  const deal = dealer(calls, connections, random)
  const microseconds = createHistogram({ lowest: 1, highest: 60_000_000, figures: 3 })
  let errors = 0
  let firstError: string | undefined
  let firstBody: string | undefined
  let memory = 0
  const sampling = setInterval(() => { memory = Math.max(memory, server.usage().memory) }, sampleEvery)

  const before = { ...server.usage(), own: process.cpuUsage(), all: machineCpu(), at: performance.now() }
  try {
    const result = await new Promise<autocannon.Result>((resolve, reject) => {
      const fail = (what: string) => {
        errors++
        firstError ??= what
        run.stop()
      }
      const run = autocannon({
        url: server.url,
        connections,
        duration,
        amount,
        overallRate,
        sampleInt: 100,
        bailout: 1,
        setupClient: (client) => {
          client.setRequests(deal())
          let wrong = false
          // autocannon emits the whole head of the parser; its type declares only the headers.
          client.on('headers', (head: unknown) => { wrong = (head as { statusCode: number }).statusCode !== status })
          client.on('body', (chunk: Buffer) => { if (wrong) firstBody ??= chunk.toString().slice(-500) })
        }
      }, (error: Error | null, result) => error === null ? resolve(result) : reject(error))
      run.on('response', (_client, answered, _bytes, milliseconds) => {
        microseconds.record(Math.max(1, Math.round(milliseconds * 1000)))
        if (answered !== status) fail(`${answered} instead of ${status}`)
      })
      run.on('reqError', (error: Error) => fail(error.message))
    })
    const after = { ...server.usage(), own: process.cpuUsage(before.own), all: machineCpu(), at: performance.now() }
    const seconds = (after.at - before.at) / 1000
    const serverCores = (after.cpu - before.cpu) / seconds
    const loadCores = (after.own.user + after.own.system) / 1e6 / seconds
    return {
      rate: microseconds.count / result.duration,
      p50: microseconds.percentile(50) / 1000,
      p99: microseconds.percentile(99) / 1000,
      answers: microseconds.count,
      bytes: result.throughput.total / microseconds.count,
      requests: microseconds.count,
      errors,
      firstError: firstBody === undefined ? firstError : `${firstError}\n${firstBody}`,
      memory: Math.max(memory, after.memory),
      serverCores,
      loadCores,
      otherCores: Math.max(0, (after.all - before.all) / seconds - serverCores - loadCores)
    }
  } finally {
    clearInterval(sampling)
  }
}

/** Distributes the requests among the connections. If there are fewer requests than connections, each connection sends all of them. */
function dealer (calls: Load['calls'], connections: number, random: Random): () => autocannon.Request[] {
  if (typeof calls === 'function') return () => [{ setupRequest: request => Object.assign(request, calls()) }]
  const order = shuffled(calls, random)
  let connection = 0
  return () => {
    const share = order.length < connections ? order : order.filter((_, index) => index % connections === connection)
    connection++
    return share.map(call => ({ ...call }))
  }
}
