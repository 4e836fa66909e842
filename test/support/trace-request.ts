import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LightMyRequestResponse } from 'fastify'
import { loadConfig } from '../../src/config.ts'
import { openDatabaseAt } from '../../src/server/open-database.ts'
import { buildServer } from '../../src/server/fastify.ts'
import { logIn, secret, type Client } from './helper.ts'
import { embeddedCopy } from './template.ts'

/** Shedding runs only while the event loop lags; the embedded database's socket replaces the network. */
const leftOut = ['plugins/shedding.ts', 'src/database/connection/embedded-socket.ts']

const root = join(import.meta.dirname, '../..')

/** What a request runs through: its files, sorted, and its functions. */
interface Trace {
  files: string[]
  functions: number
  anonymous: number
}

/** Traces by flow. */
export type Flows = Record<string, Trace>

/** A request to trace. `prepare` runs before the trace. `number` makes the written values unique. */
interface Flow {
  prepare?: (client: Client, number: number) => Promise<number>
  send: (client: Client, number: number, prepared: number) => Promise<LightMyRequestResponse>
}

const device = '6f0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b11'

const flows: Record<string, Flow> = {
  list: { send: async (client, number) => await client.get(`contracts/?page_size=${number + 3}`) },
  record: { send: async (client, number) => await client.get(`contracts/${number + 1}/`) },
  create: { send: async (client, number) => await client.post('contracts/', { folio: `TRACE-${number}` }) },
  keyed: { send: async (client, number) => await client.post('contracts/', { folio: `KEYED-${number}` }, { 'idempotency-key': `trace ${number}` }) },
  mutation: { send: async (client, number) => await client.post('mutations/', { device, mutations: [{ id: number + 1, op: 'create', resource: 'contracts', body: { folio: `MUTATION-${number}` } }] }) },
  patch: {
    async prepare (client, number) {
      const { id } = (await client.post('estimates/', { contract: number + 3, monto: '1.00' })).json()
      await client.send('PATCH', `estimates/${id}/`, { estado: 'enviada' })
      return id
    },
    send: async (client, _number, id) => await client.send('PATCH', `estimates/${id}/`, { estado: 'autorizada' })
  }
}

/** Traces each flow on a server with the demo data, on the embedded database. */
export async function traceFlows (): Promise<Flows> {
  const pglite = await embeddedCopy('demo')
  const database = await openDatabaseAt(pglite, 1)
  const app = await buildServer({ config: { ...loadConfig({ LOG_LEVEL: 'silent' }), JWT_SECRET: secret }, database })
  try {
    const client = await logIn(app, 'director@demo.example')
    const traced: Flows = {}
    for (const [name, { prepare, send }] of Object.entries(flows)) {
      const runs = []
      for (let number = 0; number < 3; number++) {
        const prepared = await prepare?.(client, number) ?? 0
        runs.push(new Set(await functionsOf(async () => await send(client, number, prepared))))
      }
      // The first run compiles. A function that a later run lacks belongs to a timer.
      traced[name] = traceOf([...runs.slice(1).reduce((common, run) => common.intersection(run))])
    }
    return traced
  } finally {
    await app.close()
    await pglite.close()
  }
}

/** The functions of the repository that run during `work`, by V8's coverage: file, place and name, separated by a space. */
async function functionsOf (work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('Profiler.takePreciseCoverage') // resets the counts
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result.filter(({ url }) => url.startsWith('file:')).flatMap(({ url, functions }) => {
      const file = relative(root, fileURLToPath(url))
      if (!/^(src|plugins|routes)\//.test(file) || leftOut.includes(file)) return []
      return functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).map(({ functionName, ranges }) => `${file} ${ranges[0]?.startOffset} ${functionName}`)
    })
  } finally {
    session.disconnect()
  }
}

function traceOf (functions: string[]): Trace {
  const files = new Set(functions.map(name => name.split(' ', 1)[0]))
  return { files: [...files].sort(), functions: functions.length, anonymous: functions.filter(name => name.endsWith(' ')).length }
}

/** The files of every flow, then the files of some flows only. Each list begins with the total of its flow. */
function fileList (traced: Flows): string {
  const flows = Object.entries(traced)
  const common = flows.map(([, { files }]) => files).reduce((all, files) => all.filter(file => files.includes(file)))
  const section = (name: string, total: number, files: string[]) => [`${name}: ${total}`, ...files.map(file => `  ${file}`)]
  return [
    ...section('all', common.length, common),
    ...flows.flatMap(([name, { files }]) => section(name, files.length, files.filter(file => !common.includes(file))))
  ].join('\n')
}

/** The functions of each flow, which differ a little between runs. */
function functionCounts (traced: Flows): string {
  return Object.entries(traced).map(([name, { functions, anonymous }]) => `${name}: ${functions} functions, ${anonymous} of them without a name`).join('\n')
}

if (import.meta.main) {
  const traced = await traceFlows()
  process.stdout.write(`${fileList(traced)}\n`)
  process.stderr.write(`${functionCounts(traced)}\n`)
}
