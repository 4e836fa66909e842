import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { runScript } from '../test/support/trial/child.ts'
import { readData, renewed, type User } from '../test/support/trial/data.ts'
import { makeDatabase, readTokens, type Seeded } from '../test/support/trial/database.ts'
import { median, percentile } from '../test/support/trial/percentile.ts'
import { startObra } from '../test/support/trial/start-obra.ts'
import { Caller } from './caller.ts'
import { withFlags } from './flags.ts'
import { print, quantiles, Report } from './report.ts'
import { checkSite } from './site/check.ts'
import { makeSite, paidEstimates, phones } from './site/contract.ts'
import { erpBulks, sendBulk } from './site/erp.ts'
import { otherKinds, Others, type OtherTimes } from './site/others.ts'
import { measured, sharesOf, spin, type Cores } from './site/phase.ts'
import type { WorksData, WorksDone, WorksPhase } from './site/thread.ts'

const help = `node bench/site.ts [options]

Prints the figures of a site under load: three phones add lines, a Director authorizes estimates, an ERP sends bulks of 500 records, and
an office reads lines and reports, all in one contract of 5,000 concepts. Users of another customer send requests at a steady rate. Their
times are measured alone, beside this load, and beside a control: processes outside of Obra that take as much CPU time as this load. The
three kinds of phases take turns. Exits with 1 if an answer, a sum or a number of records is wrong.

  --rounds N      phases of each kind (5)
  --seconds N     length of a phase (10)
  --estimates N   estimates of the contract (60)
  --lines N       lines of each estimate (300)
  --reads N       reads per second of the other customer (100)
  --writes N      writes per second of the other customer (10)
`

/** Users of the other customer, and their contracts. */
const others = { users: 10, contracts: 5000 }

interface Flags {
  rounds: number
  seconds: number
  estimates: number
  lines: number
  reads: number
  writes: number
}

const phaseKinds = ['alone', 'beside the works', 'beside the control'] as const
type PhaseKind = typeof phaseKinds[number]

/** What the others had in a phase. */
interface Phase {
  times: OtherTimes
  cores: Cores
}

/** Adds another customer. @returns the access tokens of its users */
async function addCustomer ({ env }: Seeded): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'obra-site-'))
  try {
    const file = join(folder, 'tokens')
    const size = ['--companies', 1, '--contracts', others.contracts, '--works', 0, '--users', others.users].map(String)
    await runScript('src/cli/obra.ts', ['seed', ...size, '--tokens', file], env, 120)
    return readTokens(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function site ({ rounds, seconds, estimates, lines, reads, writes }: Flags): Promise<void> {
  const perRound = Math.floor((estimates - paidEstimates) / rounds)
  if (perRound < 1) throw new Error(`${rounds} rounds need ${rounds + paidEstimates} estimates or more`)
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await makeDatabase({}, 'obra_site', { companies: 1, contracts: 1000, users: phones + 3 }))
  const tokens = await addCustomer(database)
  const server = stack.use(await startObra(database))
  const { users } = await readData(server.url, database.tokens.map(token => renewed(token)))
  const { users: otherUsers, companies } = await readData(server.url, tokens)
  const report = new Report('site', database.kind)

  const caller = new Caller(server, users[0] as User)
  const made = await makeSite(caller, estimates, lines)
  for (const bulk of erpBulks) await sendBulk(caller, bulk, made, 0)
  const workerData: WorksData = { url: server.url, users, site: made }
  const worker = new Worker(new URL('./site/thread.ts', import.meta.url), { workerData })
  stack.defer(async () => { await worker.terminate() })
  const other = new Others(server, otherUsers, companies.get(otherUsers[0]?.company as number)?.contracts ?? [])
  const besides = async () => await other.run(seconds, reads, writes)
  const works = async (phase: WorksPhase) => {
    worker.postMessage(phase)
    const [done] = await once(worker, 'message') as [WorksDone]
    return done
  }
  // Compiles code and prepares statements.
  await other.run(Math.min(seconds, 3), reads, writes)

  const phases: Record<PhaseKind, Phase[]> = { alone: [], 'beside the works': [], 'beside the control': [] }
  const done: WorksDone[] = []
  for (let round = 0; round < rounds; round++) {
    const alone = await measured(server, besides)
    const loaded = await measured(server, async () => await Promise.all([besides(), works({ seconds, authorizations: perRound })]))
    await using spinning = new AsyncDisposableStack()
    spinning.use(spin(sharesOf(loaded.cores, alone.cores)))
    const control = await measured(server, besides)
    done.push(loaded.result[1])
    phases.alone.push({ times: alone.result, cores: alone.cores })
    phases['beside the works'].push({ times: loaded.result[0], cores: loaded.cores })
    phases['beside the control'].push({ times: control.result, cores: control.cores })
  }

  await checkSite(caller, made, done)
  await other.check()
  print('checked', `${done.flatMap(({ lines }) => lines.flat()).length} lines of phones, ${done.at(-1)?.authorized} authorized estimates`)
  reportAll(report, phases, done)
  report.keep()
}

/** Reports medians of the phases of the others, and all times of the works. */
function reportAll (report: Report, phases: Record<PhaseKind, Phase[]>, done: WorksDone[]): void {
  for (const kind of otherKinds) {
    for (const [part, name] of [[0.5, 'median ms'], [0.99, 'p99 ms']] as const) {
      for (const phase of phaseKinds) {
        const found = phases[phase].map(({ times }) => percentile(times[kind], part))
        report.add(`others: ${kind}`, { [`${name} ${phase}`]: median(found) }, `phases ${found.map(ms => ms.toFixed(1)).join(', ')}`)
      }
    }
  }
  for (const phase of phaseKinds) {
    const all = phases[phase].map(({ cores: { server, clients, rest } }) => server + clients + rest)
    const ofServer = median(phases[phase].map(({ cores }) => cores.server))
    report.add('CPU of the machine', { [`cores ${phase}`]: median(all) }, `of the server ${ofServer.toFixed(2)}`)
  }
  for (const kind of [...new Set(done.flatMap(({ times }) => [...times.keys()]))].toSorted()) {
    const times = done.flatMap(({ times }) => times.get(kind) ?? [])
    report.add(kind, quantiles(times), `${times.length} requests`)
  }
}

const numbers = { rounds: [5, 100], seconds: [10, 600], estimates: [60, 1000], lines: [300, 5000], reads: [100, 2000], writes: [10, 1000] }
await withFlags(help, numbers as Record<keyof Flags, [number, number]>, [], site)
