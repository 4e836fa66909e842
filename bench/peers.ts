import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { askAll, compare } from './answers.ts'
import { hotCall } from '../test/support/trial/calls.ts'
import { runCommand } from '../test/support/trial/child.ts'
import { readData, renewed, type Data } from '../test/support/trial/data.ts'
import { makeSeed, type Seed, type Seeded } from '../test/support/trial/database.ts'
import { get } from '../test/support/trial/http.ts'
import { help, readOptions, type Options } from '../test/support/trial/options.ts'
import { conclude, describe, fail, say, startYardstick } from './run.ts'
import { Turns } from './turns.ts'
import { startObra } from '../test/support/trial/start-obra.ts'
import { sampleOf, type Sample } from './sample.ts'
import { startServer, type Server } from '../test/support/trial/server.ts'
import { randomOf, type LoadTarget, type Workload } from '../test/support/trial/workload.ts'
import { workloads, yardstickWorkloads } from '../test/support/trial/workloads.ts'

/** A service to measure: Obra or a peer. */
interface Service {
  name: string
  about: string
  /** Installs packages and builds, if necessary. @returns why this machine cannot run it, or undefined */
  prepare: () => Promise<string | undefined>
  start: (database: Seeded) => Promise<Server>
}

const obra: Service = { name: 'obra', about: 'this service', prepare: async () => undefined, start: startObra }
const services = [obra, peer('hono-drizzle'), peer('rust'), peer('rust', 'shared')]
const shared = workloads.filter(({ name }) => ['hot-list', 'lists', 'detail', 'create'].includes(name))
const seconds = { install: 300, build: 600 }

/** The package.json of a peer. `needs` names packages that not every machine has. */
interface Manifest {
  description: string
  main: string
  config?: { needs: string }
}

/**
 * A peer in its folder. `main` of its package.json is the server.
 * @param args of its server, which are part of its name
 */
function peer (stack: string, ...args: string[]): Service {
  const folder = join(import.meta.dirname, 'peers', stack)
  const name = [stack, ...args].join('-')
  const { description, main, config }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return {
    name,
    about: [description, ...args].join(', '),
    async prepare () {
      // npm writes the second file last.
      if (existsSync(join(folder, 'package-lock.json')) && !existsSync(join(folder, 'node_modules/.package-lock.json'))) {
        say(`installing ${name}`)
        await runCommand('npm', ['ci', '--include=dev'], folder, seconds.install)
      }
      try {
        await runCommand('npm', ['run', 'build', '--if-present'], folder, seconds.build)
        return undefined
      } catch (error) {
        if (config === undefined) throw error
        return `${config.needs} are needed`
      }
    },
    start: async ({ env }) => await startServer(main, env, args, folder)
  }
}

/** The answers of Obra, which the peers must match. */
interface Reference {
  data: Data
  hot: Buffer
  sample: Sample
  answers: unknown[]
}

/** Compares all answers, then runs each workload on all services by turns. */
async function bench (options: Options): Promise<void> {
  if (options.profile || options.against !== undefined) throw new Error('--profile and --against are options of bench/index.ts only')
  const chosen = <T extends { name: string }>(all: T[]) => {
    const named = all.filter(({ name }) => options.only?.includes(name))
    return named.length === 0 ? all : named
  }
  const ready: Service[] = []
  for (const service of chosen(services)) {
    const missing = await service.prepare()
    if (missing === undefined) ready.push(service)
    else say(`skipping ${service.name}: ${missing}`)
  }
  say('seeding the database')
  await using seed = await makeSeed(options)
  const reference = await learn(seed)
  for (const service of ready.filter(service => service !== obra)) await hold(service, seed, reference)

  await using bare = await startYardstick(reference.hot)
  const yardsticks = yardstickWorkloads(reference.hot).map(workload =>
    ({ workload, server: bare, target: targetOf(bare, reference.data, 0, workload) }))
  const turns = await Turns.start(yardsticks, options)
  await using stack = new AsyncDisposableStack()
  const running: Array<{ service: string, server: Server, database: Seeded }> = []
  for (const service of ready) {
    const database = stack.use(await seed.copy(`obra_bench_${service.name.replaceAll('-', '_')}`))
    running.push({ service: service.name, database, server: stack.use(await service.start(database)) })
  }
  for (const workload of chosen(shared)) {
    const entries = running.map(({ service, server, database: { size } }) =>
      ({ workload, server, service, target: targetOf(server, reference.data, size.contracts / size.companies, workload) }))
    if (!await turns.run(entries)) break
  }
  conclude('peers', describe(running[0].database), turns.rows, options)
}

function targetOf (server: Server, data: Data, perCompany: number, workload: Workload): LoadTarget {
  return { server: server.url, data, random: randomOf(workload), perCompany }
}

async function learn (seed: Seed): Promise<Reference> {
  say('reading the expected answers from obra')
  await using database = await seed.copy()
  await using server = await startObra(database)
  const data = await readData(server.url, database.tokens.map(token => renewed(token)))
  const hot = (await get(server.url, hotCall(targetOf(server, data, 0, workloads[0])))).bytes
  const sample = sampleOf(data)
  return { data, hot, sample, answers: await askAll(server.url, sample) }
}

async function hold (service: Service, seed: Seed, { sample, answers }: Reference): Promise<void> {
  say(`comparing the answers of ${service.name}`)
  await using database = await seed.copy()
  await using server = await service.start(database)
  try {
    compare(sample, await askAll(server.url, sample), answers)
  } catch (error) {
    throw new Error(`${service.name}: ${(error as Error).message}\n${server.output()}`)
  }
}

try {
  const options = readOptions([...shared, ...services].map(({ name }) => name))
  const about = 'Measures the server and its peers against a bare Fastify route, after comparing their answers.\n' +
    'Each has its own process and its own copy of the seeded database.'
  if (options === undefined) process.stdout.write(help('bench/peers.ts', about, [], { Workloads: shared, Services: services }))
  else await bench(options)
} catch (error) {
  fail(error)
}
