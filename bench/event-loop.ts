import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { loadConfig } from '../src/config.ts'
import { openDatabase } from '../src/server/open-database.ts'
import { buildServer } from '../src/server/fastify.ts'
import { makeDatabase, signingKey } from './database.ts'
import { inputs } from './event-loop/inputs.ts'
import type { Input, Command } from './event-loop/client.ts'
import { whole } from './options.ts'

const help = `node bench/event-loop.ts [options]

Sends each expensive request of test/support/large-inputs.ts and prints its bytes, its status, and the longest and the median time
that it blocked the server's event loop, in ms. Run it on an idle machine.

  --times N     number of times each is sent (5)
  --only TEXT   only requests whose name contains the text
  --embedded    use the embedded database
`

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    embedded: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false }
  }
})

/** Milliseconds between two samples of the event loop. */
const resolution = 1

async function measure (): Promise<void> {
  const times = whole('times', values.times, 1000)
  await using seeded = await makeDatabase({ embedded: values.embedded, keep: false, layout: 'interleaved' }, 'obra_event_loop', { companies: 2, contracts: 200, users: 10 })
  const config = { ...loadConfig({ ...seeded.env, LOG_LEVEL: 'silent', RATE_LIMIT: 'off' }), JWT_SECRET: signingKey }
  const database = await openDatabase(config, 'refuse')
  const app = await buildServer({ config, database })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const client = new Worker(new URL('event-loop/client.ts', import.meta.url), { workerData: { url, token: seeded.tokens[0] } })
  try {
    process.stdout.write(`${seeded.kind}\n${'bytes'.padStart(9)} status  longest   median\n`)
    for (const [name, input] of inputs()) {
      if (!name.includes(values.only)) continue
      const { status, blocks } = await blocksOf(client, input, times)
      const [longest = 0, median = 0] = [blocks.at(-1), blocks[Math.floor(blocks.length / 2)]]
      const bytes = input.body === undefined ? input.path.length : Buffer.byteLength(input.body)
      process.stdout.write(`${String(bytes).padStart(9)} ${String(status).padStart(6)} ${longest.toFixed(1).padStart(8)} ${median.toFixed(1).padStart(8)}  ${name}\n`)
    }
  } finally {
    await client.terminate()
    await app.close()
    await database.close()
  }
}

/** @returns the status, and the longest block of each attempt in ms, ascending */
async function blocksOf (client: Worker, input: Input, times: number): Promise<{ status: number, blocks: number[] }> {
  await tell(client, { prepare: input })
  const delay = monitorEventLoopDelay({ resolution })
  const blocks: number[] = []
  let status = 0
  for (let time = 0; time < times; time++) {
    delay.enable()
    await sleep(20)
    delay.reset()
    status = await tell(client, 'send')
    await sleep(5 * resolution)
    delay.disable()
    blocks.push(Math.max(0, delay.max / 1e6 - resolution))
  }
  return { status, blocks: blocks.sort((a, b) => a - b) }
}

async function tell (client: Worker, order: Command): Promise<number> {
  client.postMessage(order)
  const [answer] = await once(client, 'message') as [number]
  return answer
}

if (values.help) process.stdout.write(help)
else await measure()
