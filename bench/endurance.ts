import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { besiege } from '../test/torture/siege.ts'
import { get, type Call } from './http.ts'
import { mixedLoad } from './mixed-load.ts'

const megabyte = 2 ** 20

/** Requests of the mixed load in a second. */
const pace = 400
const sampleEvery = 5000

/** Loads a server for so long, at a steady pace, and tells how its memory went. @returns whether all went well */
export async function soak (minutes: number, embedded: boolean, tell: (line: string) => void): Promise<boolean> {
  await using mixed = await mixedLoad('obra_soak', embedded)
  const { server, calls, database } = mixed
  const samples: number[] = []
  const sampling = setInterval(() => { samples.push(server.usage().memory / megabyte) }, sampleEvery)
  let wrong = 0
  const { requests } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon({
      url: server.url,
      connections: 32,
      duration: minutes * 60,
      overallRate: pace,
      setupClient: client => client.setRequests([{ setupRequest: request => Object.assign(request, { body: undefined }, calls()) }])
    }, (error: Error | null, result) => error === null ? resolve(result) : reject(error))
    run.on('response', (_client, status) => { if (status !== 200 && status !== 201) wrong++ })
    run.on('reqError', () => { wrong++ })
  })
  clearInterval(sampling)

  const fifths = Array.from({ length: 5 }, (_, index) => samples.slice(samples.length * index / 5, samples.length * (index + 1) / 5))
  const means = fifths.map(part => part.reduce((sum, sample) => sum + sample, 0) / part.length)
  tell(`soak, ${database.kind}, ${minutes} min: ${requests.total} requests, ${wrong} wrong; resident MB, means of fifths: ${means.map(mean => mean.toFixed(1)).join(', ')}; highest ${Math.max(...samples).toFixed(1)}`)
  return wrong === 0
}

/** Holds a server's connections, idle and with requests that never end, and looks how it answers meanwhile. @returns whether all went well */
export async function siege (connections: number, embedded: boolean, tell: (line: string) => void): Promise<boolean> {
  await using mixed = await mixedLoad('obra_siege', embedded)
  const { server, calls, database } = mixed
  const before = server.usage().memory / megabyte
  const times: number[] = []
  let during = 0
  const { held, closed, answers } = await besiege(server.url, { idle: connections, slow: connections }, async (siege) => {
    during = server.usage().memory / megabyte
    for (let more = 200; more > 0 || siege.closed < connections; more--) {
      const start = performance.now()
      await get(server.url, reading(calls))
      times.push(performance.now() - start)
      await sleep(20)
    }
  })
  times.sort((a, b) => a - b)
  tell(`siege, ${database.kind}: ${held} connections held, half of them idle, half with a request that never ends; of these ${closed} closed by ${[...answers].join(', ')}; ` +
    `${times.length} requests answered meanwhile, p99 ${Math.round(times[Math.floor(times.length * 0.99)] as number)} ms; resident MB ${before.toFixed(1)} before, ${during.toFixed(1)} meanwhile`)
  return closed === connections && held === 2 * connections
}

function reading (calls: () => Call): Call {
  for (;;) {
    const call = calls()
    if (call.method === undefined) return call
  }
}
