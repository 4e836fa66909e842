import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { demoPassword } from '../src/demo/data.ts'
import { tokensOf } from '../test/over-http.ts'
import { makeCluster, mayMakeCluster } from '../test/torture/cluster.ts'
import { killing } from '../test/torture/kill.ts'
import { outage, outages } from '../test/torture/outage.ts'
import { looking, server } from '../test/torture/places.ts'
import { total, type Verdict } from '../test/torture/trial.ts'
import type { Attacked } from './attacks.ts'
import { asAdmin, findPostgres, withName } from './database.ts'
import { siege, soak } from './endurance.ts'
import { whole } from './options.ts'
import { randomFrom } from './random.ts'
import { mayRunSqlmap, sqlmap } from './sqlmap.ts'

const help = `node bench/torture.ts [options]

Ill-treats a server and its database while others write, then compares what was acknowledged with what is there. Ends with 1 when anything is
lost or twice there, or a rule of the database is broken, or an attack finds anything. PostgreSQL is that of DATABASE_URL, else the usual one on this machine; outages need
PostgreSQL's own programs and root's rights, for they make a server of their own.

  --kills N       times that the server is killed, on each kind of database (50)
  --outages N     times of each outage: ${Object.keys(outages).join(', ')} (20)
  --seconds N     length of an outage (1)
  --connections N idle ones, and as many whose request never ends (5000); this process needs twice as many open files
  --minutes N     of a mixed load at a steady pace, with the server's memory looked at (10)
  --shots N       requests by chance (100000)
  --framings N    requests over sockets with their framing spoilt by chance (20000)
  --seed N        what chance begins with; the same one sends the same requests (the clock's, told with what is found)
  --rounds N      requests of each kind whose times are compared (3000)
  --only KINDS    comma-separated: kills, outages, siege, soak, attacks, sqlmap (where it is installed)

Attacks have lines of their own: what was done, how often, and what it found. They run on one process, and take minutes; sqlmap takes longer.
`

/** A line of the table. */
interface Line extends Verdict {
  what: string
  times: number
  /** Milliseconds from the end of an outage to the next acknowledged write, the longest. */
  back?: number
}

const directors = ['director@demo.example', 'director@otra.example']

interface Place {
  dir: string
  dataDir: string
  env: Record<string, string>
}

/** Works in a folder that is gone afterwards. */
async function inFolder<T> (work: (place: Omit<Place, 'env'>) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'obra-torture-'))
  try {
    return await work({ dir, dataDir: join(dir, 'data') })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function kills (kind: string, env: Record<string, string>, times: number): Promise<Line> {
  return await inFolder(async (folder) => {
    const place = { ...folder, env }
    await using subject = await server(place)
    const verdict = await killing(subject, await logIn(subject.origin), times, randomFrom(times), async (work) => {
      await subject.kill()
      return await looking(place, work)
    })
    return { what: `killed by SIGKILL, ${kind}`, times, ...verdict }
  })
}

async function allOutages (times: number, seconds: number, tell: (line: Line) => void): Promise<void> {
  await inFolder(async (folder) => {
    await using cluster = await makeCluster()
    const place = { ...folder, env: { DATABASE_URL: cluster.url } }
    await using subject = await server(place)
    const tokens = await logIn(subject.origin)
    for (const name of Object.keys(outages)) {
      const { slowestReturn, ...verdict } = await outage(name, cluster, { origin: subject.origin, tokens }, times, seconds, async work => await looking(place, work))
      tell({ what: `database ${name}`, times, back: slowestReturn, ...verdict })
    }
  })
}

async function injections (tell: (attacked: Attacked) => void): Promise<void> {
  const admin = await findPostgres()
  if (admin === undefined) return
  await asAdmin(admin, 'drop database if exists obra_torture with (force)', 'create database obra_torture')
  try {
    await inFolder(async (folder) => {
      await using subject = await server({ ...folder, env: { DATABASE_URL: withName(admin, 'obra_torture') } })
      tell(await sqlmap(subject.origin))
    })
  } finally {
    await asAdmin(admin, 'drop database obra_torture with (force)')
  }
}

function tellAttack ({ what, times, found }: Attacked): void {
  process.stdout.write(`${what} | ${times} | ${found.length === 0 ? 'nothing' : `${found.length} found`}\n`)
  for (const one of found.slice(0, 10)) process.stdout.write(`    ${one.slice(0, 2000)}\n`)
  if (found.length > 0) process.exitCode = 1
}

async function logIn (origin: string): Promise<string[]> {
  return await Promise.all(directors.map(async email => (await tokensOf(origin, email, demoPassword)).access))
}

function told ({ what, times, back, tally, lost }: Line): string {
  const cells = [what.padEnd(34), times, total(tally), tally.unanswered, tally.unavailable, tally.replayed, Math.round(tally.slowest), back === undefined ? '' : Math.round(back), lost.length]
  return cells.map((cell, index) => index === 0 ? cell : String(cell).padStart(index === 8 ? 6 : 12)).join('')
}

async function torture (): Promise<void> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '50' },
      outages: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '1' },
      connections: { type: 'string', default: '5000' },
      minutes: { type: 'string', default: '10' },
      shots: { type: 'string', default: '100000' },
      framings: { type: 'string', default: '20000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      rounds: { type: 'string', default: '3000' },
      only: { type: 'string', default: 'kills,outages,siege,soak,attacks,sqlmap' },
      help: { type: 'boolean', short: 'h', default: false }
    }
  })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  const only = values.only.split(',')
  const lines: Line[] = []
  const tell = (line: Line) => {
    lines.push(line)
    process.stdout.write(`${told(line)}\n`)
    for (const what of line.lost.slice(0, 10)) process.stdout.write(`    ${what}\n`)
  }
  if (only.includes('kills') || only.includes('outages')) process.stdout.write(`${'what was done'.padEnd(34)}       times      writes  unanswered         503    replayed  slowest ms     back ms  lost\n`)
  if (only.includes('kills')) {
    const times = whole('kills', values.kills, 100_000)
    const admin = await findPostgres()
    if (admin !== undefined) {
      await asAdmin(admin, 'drop database if exists obra_torture with (force)', 'create database obra_torture')
      try {
        tell(await kills('PostgreSQL', { DATABASE_URL: withName(admin, 'obra_torture') }, times))
      } finally {
        await asAdmin(admin, 'drop database obra_torture with (force)')
      }
    }
    tell(await kills('embedded', {}, times))
  }
  if (only.includes('outages')) {
    if (!mayMakeCluster()) throw new Error("outages need PostgreSQL's own programs and root's rights")
    await allOutages(whole('outages', values.outages, 100_000), whole('seconds', values.seconds, 600), tell)
  }
  const say = (line: string) => { process.stdout.write(`${line}\n`) }
  let well = true
  for (const embedded of [false, true]) {
    if (only.includes('siege')) well = await siege(whole('connections', values.connections, 20_000), embedded, say) && well
    if (only.includes('soak')) well = await soak(whole('minutes', values.minutes, 1440), embedded, say) && well
  }
  if (only.includes('attacks')) {
    // The servers of tests take their database from there, when they are loaded.
    const admin = await findPostgres()
    if (admin !== undefined) process.env['DATABASE_URL'] = admin
    const { attackAll } = await import('./attacks.ts')
    await attackAll({ shots: whole('shots', values.shots, 10_000_000), framings: whole('framings', values.framings, 10_000_000), seed: whole('seed', values.seed, 1_000_000_000, 0), rounds: whole('rounds', values.rounds, 1_000_000, 100) }, tellAttack)
  }
  if (only.includes('sqlmap') && mayRunSqlmap()) await injections(tellAttack)
  if (!well || lines.some(({ lost }) => lost.length > 0)) process.exitCode = 1
}

await torture()
