import assert from 'node:assert/strict'
import { indexAll } from '../src/cli/seed/seed.ts'
import { renewed } from '../test/support/trial/data.ts'
import { asAdmin } from '../test/support/trial/database.ts'
import { randomFrom } from '../test/support/trial/random.ts'
import { startServer, type Server } from '../test/support/trial/server.ts'
import { connect } from './growth/connection.ts'
import { growDatabases, type Grown } from './growth/databases.ts'
import { measure, type MeasuredCompany } from './growth/measure.ts'
import { help, readOptions, type Options } from './growth/options.ts'
import { figuresOf, table, type Growth } from './growth/results.ts'
import { addWorks, contractsOf, perList, type WorksResource } from './growth/works.ts'
import { ownerOf, worksKinds, type WorksCompany } from './growth/works-kinds.ts'
import { keep } from './report.ts'

const usage = {
  script: 'bench/growth-works.ts',
  about: 'Measures how the cost of requests grows with the concepts, the estimates or the lines of a company.',
  sizes: '1000,100000,1000000',
  many: 'records of one resource in one company, multiples of 1,000'
}

/** Limit of the growth of costs from the smallest to the largest company. */
const maxGrowth = 1.1

/** Untimed requests to a server, whose code is not compiled yet. */
const warmUp = 300

/** Sizes are multiples of this, so that all lists are equally long. */
const sizeStep = 1000

async function bench (options: Options): Promise<void> {
  const odd = options.sizes.find(size => size % sizeStep !== 0)
  if (odd !== undefined) throw new Error(`--sizes needs multiples of ${sizeStep}, not ${odd}`)
  const chosen = worksKinds.filter(({ name }) => options.only?.includes(name) ?? true)
  const run: Growth = { database: '', lines: [], maxGrowth }
  for (const resource of new Set(chosen.map(kind => kind.resource))) {
    await using stack = new AsyncDisposableStack()
    const databases = stack.use(await growDatabases(growing(resource, options.sizes), options.keep, say))
    run.database = databases.kind
    const places: Array<MeasuredCompany<WorksCompany>> = []
    for (const grown of databases.grown) {
      const server = stack.use(await startServer('src/server.ts', { ...grown.env, LOG_LEVEL: 'warn', RATE_LIMIT: 'off' }))
      places.push(await placeOf(resource, server, grown))
    }
    for (const kind of chosen.filter(kind => kind.resource === resource)) {
      say(`${kind.name}: ${kind.about}`)
      const costs = await measure(kind, places, options.rounds, options.seconds)
      run.lines.push({ name: kind.name, about: kind.about, bar: kind.bar, costs })
    }
    for (const { connection } of places) connection.close()
  }
  process.stdout.write(`\n${run.database}, one connection, ms: median / p99\n\n${table(run)}\n\n`)
  keep('growth-works', run.database, figuresOf(run))
}

function growing (resource: WorksResource, sizes: number[]) {
  const finish = async (url: string, size: number) => await asAdmin(url, async (client) => {
    await addWorks(client, resource, size)
    await indexAll(async (sql, params) => (await client.query(sql.replace('?', '$1'), params)).rows)
  })
  return { name: `obra_growth_${resource}`, many: resource, sizes, contractsOf: contractsOf[resource], finish }
}

async function placeOf (resource: WorksResource, { url }: Server, { size, tokens }: Grown): Promise<MeasuredCompany<WorksCompany>> {
  const connection = connect(url, renewed(tokens[0]))
  const list = `/api/v1/${resource}/`
  const { body: { count, results: [one] } } = await connection.get(`${list}?page_size=1`)
  const { body: last } = await connection.get(`${list}${one.id + size - 1}/`)
  const [owner, owners] = [ownerOf[resource], size / perList]
  assert.deepEqual([count, last[owner] - one[owner]], [size, owners - 1], 'the database does not have the seeded records')
  for (let request = 0; request < warmUp; request++) await connection.get(list)
  return { connection, company: { size, first: one.id, firstOwner: one[owner], owners, random: randomFrom(size) } }
}

function say (line: string): void {
  process.stderr.write(`growth of works: ${line}\n`)
}

try {
  const options = readOptions(usage.sizes, worksKinds.map(({ name }) => name))
  if (options === undefined) process.stdout.write(help(usage, worksKinds))
  else await bench(options)
} catch (error) {
  say(`failed: ${(error as Error).message}`)
  process.exitCode = 1
}
