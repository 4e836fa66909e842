import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { runScript } from '../test/support/trial/child.ts'
import { readData, renewed, type User } from '../test/support/trial/data.ts'
import { makeDatabase, readTokens } from '../test/support/trial/database.ts'
import { each, jsonOf, send } from '../test/support/trial/http.ts'
import type { Server } from '../test/support/trial/server.ts'
import { startObra } from '../test/support/trial/start-obra.ts'
import { withFlags } from './flags.ts'
import { readPages } from './read-pages.ts'
import { print, quantiles, Report } from './report.ts'
import { sharedBytes, uploadFile, type UploadFile } from './upload-file.ts'
import type { Uploaded, UploadTask, UploadWork } from './upload-thread.ts'

const help = `node bench/uploads.ts [options]

Uploads files of many customers at the same time, half of them by PUT and half by tus, and prints the memory of the server before and at its
highest, and the times of another customer's pages: without uploads, during uploads to another server process, which only shares the machine
and the database, and during uploads to the same process. Exits with 1 if an upload fails, or if the server needs more than 100 MB.

  --uploads N    uploads at the same time (200)
  --rate N       kB per second of each upload (256)
  --seconds N    time of an upload at this rate; at most 55, because a PUT ends after 60 (20)
  --embedded     use the embedded database, which has no other process
`

const bounds = { megabytes: 100 }

/** What a user, and a customer, may upload at the same time. */
const [perUser, perCustomer] = [4, 16]

/** kB of a PATCH. */
const partKilobytes = 1000

/** Creates the attachment of a file. */
async function prepare (server: Server, { headers }: User, contract: number, { number, bytes, sha256 }: UploadFile): Promise<UploadTask> {
  const body = JSON.stringify({ contract, nombre: `foto-${number}.jpg`, tipo: 'image/jpeg', bytes, sha256 })
  const typed = { ...headers, 'content-type': 'application/json' }
  const answer = await send(server.url, { method: 'POST', path: '/api/v1/adjuntos/', headers: typed, body })
  if (answer.status !== 201) throw new Error(`the attachment was answered by ${answer.status}: ${String(answer.bytes)}`)
  return { number, url: `${server.url}/api/v1/adjuntos/${jsonOf(answer).id}/contenido/`, headers: { ...headers }, tus: number % 2 === 1 }
}

async function uploads (count: number, rate: number, seconds: number, embedded: boolean): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'obra-uploads-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const database = stack.use(await makeDatabase({ embedded }, 'obra_uploads', { companies: 1, contracts: 2000, users: 1 }))
  const tokens: string[] = []
  for (let customer = 0; customer < Math.ceil(count / perCustomer); customer++) {
    const file = join(folder, `${customer}.tokens`)
    const size = ['--companies', '1', '--contracts', '10', '--works', '0', '--users', String(perCustomer / perUser), '--tokens', file]
    await runScript('src/cli/obra.ts', ['seed', ...size], database.env, 60)
    tokens.push(...readTokens(file))
  }
  const env = { DATA_DIR: join(folder, 'data'), ...database.env }
  const server = stack.use(await startObra({ ...database, env }))
  const neighbour = embedded ? undefined : stack.use(await startObra({ ...database, env }))
  const { users: [reader] } = await readData(server.url, [renewed(database.tokens[0] as string)])
  if (reader === undefined) throw new Error('the database has no user')
  const { users, companies } = await readData(server.url, tokens.map(token => renewed(token)))
  const report = new Report('uploads', database.kind)

  const bytes = rate * 1000 * seconds
  const shared = sharedBytes(bytes)
  /** Reads pages while files are uploaded. @param first number of the first file */
  const uploadTo = async (target: Server, first: number) => {
    const tasks = await each([...Array(count).keys()], async (number) => {
      const user = users[Math.floor(number / perUser)] as User
      return await prepare(target, user, companies.get(user.company)?.contracts[0] as number, uploadFile(first + number, shared))
    })
    const workerData: UploadWork = { tasks, bytes, rate: rate * 1000, partBytes: partKilobytes * 1000 }
    const worker = new Worker(new URL('./upload-thread.ts', import.meta.url), { workerData })
    let isDone = false
    const { cpu } = target.usage()
    const began = performance.now()
    const pages = readPages(server, reader, () => isDone)
    const [results] = await once(worker, 'message') as [Uploaded[]]
    isDone = true
    return { ...await pages, tasks, results, elapsed: (performance.now() - began) / 1000, cpu: target.usage().cpu - cpu }
  }

  const until = performance.now() + seconds * 1000
  const before = await readPages(server, reader, () => performance.now() > until)
  const beside = neighbour && await uploadTo(neighbour, count)
  const during = await uploadTo(server, 0)

  report.add('pages without uploads', quantiles(before.times))
  if (beside !== undefined) {
    report.add('pages during uploads to another process', quantiles(beside.times))
    reportUploads(report, beside, ' to another process')
  }
  report.add('pages during uploads to the process', quantiles(during.times))
  reportUploads(report, during)
  report.add('all uploads', { s: during.elapsed, 'CPU s': during.cpu })
  const more = during.megabytes - before.megabytes
  report.add('memory before', { MB: before.megabytes })
  report.add('more memory', { MB: more }, `bound ${bounds.megabytes} MB`)
  report.keep()
  if (more > bounds.megabytes) process.exitCode = 1
}

function reportUploads (report: Report, { tasks, results }: { tasks: UploadTask[], results: Uploaded[] }, where = ''): void {
  for (const tus of [false, true]) {
    const ours = results.filter((_, number) => tasks[number]?.tus === tus)
    const good = ours.filter(({ status }) => status === (tus ? 204 : 200))
    const times = quantiles(ours.map(({ ms }) => ms))
    report.add(`uploads by ${tus ? 'tus' : 'PUT'}${where}`, times, `${good.length} of ${ours.length} succeeded`)
    if (good.length === ours.length) continue
    process.exitCode = 1
    const counts = Map.groupBy(ours, ({ status }) => status ?? 'no answer')
    print('  answers', [...counts].map(([status, all]) => `${status}: ${all.length}`).join(', '))
  }
}

await withFlags(help, { uploads: [200, 1000], rate: [256, 10_000], seconds: [20, 55] }, ['embedded'], async (flags) => {
  await uploads(flags.uploads, flags.rate, flags.seconds, flags.embedded)
})
