import assert from 'node:assert/strict'
import { renewed } from '../test/support/trial/data.ts'
import { connect } from './growth/connection.ts'
import { asAdmin } from '../test/support/trial/database.ts'
import { growDatabases, type Grown } from './growth/databases.ts'
import { kinds } from './growth/kinds.ts'
import { costOf, measure, type MeasuredCompany } from './growth/measure.ts'
import { help, readOptions, type Options } from './growth/options.ts'
import { figuresOf, table, type Growth, type TreeCost } from './growth/results.ts'
import { makeTree, openPlainTree, treeSize } from './growth/tree.ts'
import { keep } from './report.ts'
import { randomFrom } from '../test/support/trial/random.ts'
import { startServer, type Server } from '../test/support/trial/server.ts'

const usage = {
  script: 'bench/growth.ts',
  about: 'Measures how the cost of requests grows with the contracts of a company.',
  sizes: '1000,10000,100000,1000000',
  many: 'contracts in one company'
}

/** Limit of the growth of costs from the smallest to the largest company. */
const maxGrowth = 1.3

/** Measures requests in companies of 1,000 to 1,000,000 contracts. */
async function bench (options: Options): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const { sizes, keep: isKept } = options
  const finish = async (url: string, size: number) => {
    if (size === sizes.at(-1) && size > treeSize) await asAdmin(url, makeTree)
  }
  const growing = { name: 'obra_growth', many: 'contracts', sizes, contractsOf: (size: number) => size, finish }
  const databases = stack.use(await growDatabases(growing, isKept, say))
  const places: MeasuredCompany[] = []
  for (const grown of databases.grown) {
    const server = stack.use(await startServer('src/server.ts', { ...grown.env, LOG_LEVEL: 'warn', RATE_LIMIT: 'off' }))
    places.push(await placeOf(server, grown))
  }

  const run: Growth = { database: databases.kind, lines: [], maxGrowth }
  for (const kind of kinds.filter(({ name }) => options.only?.includes(name) ?? true)) {
    say(`${kind.name}: ${kind.about}`)
    const costs = await measure(kind, places, options.rounds, options.seconds)
    run.lines.push({ name: kind.name, about: kind.about, bar: kind.bar, costs })
  }
  const largest = databases.grown.at(-1) as Grown
  if (options.only === undefined && largest.size > treeSize) {
    say('tree of 10,000 contracts, and the bare recursive query')
    run.tree = await measureTree(places.at(-1) as MeasuredCompany, largest.env.DATABASE_URL, options)
  }
  process.stdout.write(`\n${run.database}, one connection, ms: median / p99\n\n${table(run)}\n\n`)
  keep('growth', run.database, figuresOf(run))
}

async function placeOf ({ url }: Server, { size, tokens }: Grown): Promise<MeasuredCompany> {
  const connection = connect(url, renewed(tokens[0]))
  const { body: { count, results: [first] } } = await connection.get('/api/v1/contracts/?page_size=1')
  const { body: last } = await connection.get(`/api/v1/contracts/${first.id + size - 1}/`)
  const tag = first.folio.replace(/-0$/, '')
  assert.deepEqual([count, last.folio], [size, `${tag}-${size - 1}`], 'the database does not have the seeded contracts')
  // Warms up: a server's first requests are slower, because its code is not compiled yet.
  for (let request = 0; request < 300; request++) await connection.get('/api/v1/contracts/')
  return { connection, company: { size, first: first.id, tag, random: randomFrom(size) } }
}

async function measureTree ({ connection, company }: MeasuredCompany, url: string, { rounds, seconds }: Options): Promise<TreeCost> {
  const { body: root } = await connection.get(`/api/v1/contracts/${company.first}/`)
  await using plain = await openPlainTree(url, root.company)
  const times: Record<'route' | 'bare', number[]> = { route: [], bare: [] }
  const late = performance.now() + seconds * 1000
  for (let round = -3; round < rounds && (round < 1 || performance.now() < late); round++) {
    const { body, milliseconds } = await connection.get(`/api/v1/contracts/${company.first}/tree/`)
    const started = performance.now()
    const found = await plain.read(company.first)
    const bare = performance.now() - started
    assert.deepEqual([sizeOf(body), found], [treeSize, treeSize], 'the tree does not have the seeded contracts')
    if (round < 0) continue
    times.route.push(milliseconds)
    times.bare.push(bare)
  }
  return { contracts: treeSize, route: costOf(company.size, times.route), bare: costOf(company.size, times.bare) }
}

interface Tree {
  children: Tree[]
}

function sizeOf ({ children }: Tree): number {
  return children.reduce((sum, child) => sum + sizeOf(child), 1)
}

function say (line: string): void {
  process.stderr.write(`growth: ${line}\n`)
}

try {
  const options = readOptions(usage.sizes, kinds.map(({ name }) => name))
  if (options === undefined) process.stdout.write(help(usage, kinds))
  else await bench(options)
} catch (error) {
  say(`failed: ${(error as Error).message}`)
  process.exitCode = 1
}
