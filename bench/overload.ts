import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { send, type Call } from '../test/support/trial/http.ts'
import { mixedLoad } from '../test/support/trial/mixed-load.ts'
import type { Server } from '../test/support/trial/server.ts'
import { withFlags } from './flags.ts'
import { Report } from './report.ts'

const help = `node bench/overload.ts [options]

Measures the peak rate of a mixed load, then sends more than that at a fixed rate, without waiting for answers, and prints the results.
Exits with 1 if less than 80 % of the peak is answered, if an answer is neither correct nor 503, or if a health check fails.

  --seconds N       length of each step (8)
  --times N         offered rate, as a multiple of the peak (4)
  --connections N   connections of the overload (8000); needs as many open files
  --embedded        use the embedded database
`

/** Results of a step: times in ms, and answers per second. */
interface Outcome {
  answered: number
  refused: number
  wrong: number
  p50: number
  p99: number
  refusedP99: number
  healthP99: number
  unhealthy: number
  generatorCores: number
}

/** Milliseconds for opening the connections, which are not measured. */
const settling = 2000

async function offer (server: Server, calls: () => Call, seconds: number, connections: number, overallRate?: number): Promise<Outcome> {
  const [answered, refused, health] = [createHistogram(), createHistogram(), createHistogram()]
  const record = (histogram: RecordableHistogram, milliseconds: number) => histogram.record(Math.max(1, Math.round(milliseconds * 1000)))
  let wrong = 0
  let unhealthy = 0
  const ended = new AbortController()
  const watched = (async () => {
    for (; !ended.signal.aborted; await sleep(50)) {
      const start = performance.now()
      const status = await send(server.url, { path: '/health/live/', headers: {} }).then(({ status }) => status, () => 0)
      record(health, performance.now() - start)
      if (status !== 200) unhealthy++
    }
  })()
  const cpu = process.cpuUsage()
  const from = performance.now() + settling
  await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon({
      url: server.url,
      connections,
      duration: seconds + settling / 1000,
      overallRate,
      timeout: 30,
      setupClient: client => client.setRequests([{ setupRequest: request => Object.assign(request, { body: undefined }, calls()) }])
    }, (error: Error | null, result) => error === null ? resolve(result) : reject(error))
    run.on('response', (_client, status, _bytes, milliseconds) => {
      if (performance.now() < from) return
      if (status === 503) record(refused, milliseconds)
      else if (status === 200 || status === 201) record(answered, milliseconds)
      else wrong++
    })
    run.on('reqError', () => { wrong++ })
  })
  const { user, system } = process.cpuUsage(cpu)
  ended.abort()
  await watched
  const duration = (performance.now() - from) / 1000
  const p99 = (histogram: RecordableHistogram) => histogram.percentile(99) / 1000
  return {
    answered: answered.count / duration,
    refused: refused.count / duration,
    wrong,
    p50: answered.percentile(50) / 1000,
    p99: p99(answered),
    refusedP99: p99(refused),
    healthP99: p99(health),
    unhealthy,
    generatorCores: (user + system) / 1e6 / (duration + settling / 1000)
  }
}

const figuresOf = ({ answered, refused, p50, p99, refusedP99, healthP99, generatorCores }: Outcome) => ({
  'answered/s': answered,
  'p50 ms': p50,
  'p99 ms': p99,
  '503/s': refused,
  '503 p99 ms': refusedP99,
  'health p99 ms': healthP99,
  'generator cores': generatorCores
})
const wrongs = ({ unhealthy, wrong }: Outcome) => `${wrong} wrong, ${unhealthy} unhealthy`

async function overload (seconds: number, times: number, connections: number, embedded: boolean): Promise<void> {
  await using mixed = await mixedLoad('obra_overload', embedded)
  const { database, server, calls } = mixed

  const report = new Report('overload', database.kind)
  await offer(server, calls, 1, 64)
  const peak = await offer(server, calls, seconds, 64)
  report.add('peak', figuresOf(peak), wrongs(peak))
  const rate = Math.round(peak.answered * times)
  const overloaded = await offer(server, calls, seconds, connections, rate)
  const share = overloaded.answered / peak.answered
  const figures = { '% of the peak': share * 100, 'offered/s': rate, ...figuresOf(overloaded) }
  report.add(`${connections.toLocaleString('en')} connections`, figures, wrongs(overloaded))
  const after = await offer(server, calls, seconds, 64)
  report.add('after', figuresOf(after), wrongs(after))
  report.keep()
  if (share < 0.8 || overloaded.wrong + overloaded.unhealthy + after.refused > 0) process.exitCode = 1
}

await withFlags(help, { seconds: [8, 600], times: [4, 100], connections: [8000, 20_000] }, ['embedded'], async (flags) => {
  await overload(flags.seconds, flags.times, flags.connections, flags.embedded)
})
