import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { runScript } from '../../../support/trial/child.ts'
import { asAdmin, makeDatabase, readTokens, type Seeded } from '../../../support/trial/database.ts'
import { readClaims, renewed } from '../../../support/trial/data.ts'
import { namesIn } from '../../../support/trial/options.ts'
import { percentile } from '../../../support/trial/percentile.ts'
import { get, jsonOf } from '../../../support/trial/http.ts'
import { startObra } from '../../../support/trial/start-obra.ts'
import type { Server } from '../../../support/trial/server.ts'
import type { Kind } from './kinds.ts'
import type { Attack, AttackTarget } from './neighbour-attack.ts'
import { neighbourAttacks } from './neighbour-attacks.ts'
import { loadAtPace, type Load } from './paced-load.ts'
import { inFolder, noPostgres } from '../../kernel/places.ts'
import { count, type Row } from '../../kernel/table.ts'

/** Seconds of the other companies' load, before the attack and during it. */
const seconds = 8

/** Limit of other callers' latency: twice that without the attack, or this many ms, for which one request may block the event loop. */
const limits = { times: 2, least: 50 }

/** Contracts of the attacker's company; the other companies have 1,000 each. */
const large = 100_000

/** One caller runs each attack while other companies' callers read and write at a steady rate. */
export const neighbours: Kind = {
  name: 'neighbours',
  about: `what other companies' callers wait while one caller attacks: ${neighbourAttacks.map(({ name }) => name).join(', ')}`,
  async run ({ postgres, attacks }, addRow) {
    if (postgres === undefined) return addRow({ what: 'one caller against the others', why: noPostgres })
    const small = { companies: 20, contracts: 20_000, users: 40 }
    await using database = await makeDatabase({ embedded: false, keep: false, layout: 'interleaved' }, 'obra_neighbours', small)
    const tokens = await attackersTokens(database)
    const chosen = namesIn(attacks, neighbourAttacks.map(({ name }) => name), 'attack')
    for (const attack of neighbourAttacks.filter(({ name }) => chosen?.includes(name) ?? true)) {
      // Each attack has its own server and files, so that it does not affect the next one.
      await inFolder(async ({ dir }) => {
        await using server = await startObra(database, { RATE_LIMIT: 'on', LOGIN_ATTEMPTS_PER_ADDRESS: '1000000', DATA_DIR: dir, ...attack.env })
        const { target, readers } = await prepare(server, database, tokens)
        addRow(await attacked(attack, server, target, readers))
      })
    }
  }
}

/** A customer of the attacker's own, with one large company. @returns access tokens of its users */
async function attackersTokens ({ env }: Seeded): Promise<string[]> {
  return await inFolder(async ({ dir }) => {
    const file = join(dir, 'tokens')
    await runScript('src/cli/obra.ts', ['seed', '--companies', '1', '--contracts', String(large), '--works', '0', '--users', '4', '--tokens', file], env, 300)
    return readTokens(file)
  })
}

async function prepare (server: Server, { env, tokens }: Seeded, own: string[]): Promise<{ target: AttackTarget, readers: string[] }> {
  const [revoked, ...alive] = own.map(token => renewed(token)) as [string, string, ...string[]]
  const databaseUrl = env['DATABASE_URL']
  const email = await endSession(revoked, databaseUrl)
  const me = async (token: string) => jsonOf(await get(server.url, { path: '/api/v1/me/', headers: { authorization: `Bearer ${token}` } })) as { company: number, email: string }
  const users = await Promise.all(tokens.map(token => renewed(token)).map(async token => ({ token, company: (await me(token)).company })))
  const companies = [...new Set(users.map(({ company }) => company))]
  const locked = companies.slice(0, 10)
  return {
    target: {
      origin: server.url,
      databaseUrl,
      tokens: alive,
      revoked,
      expired: renewed(revoked, new Date(Date.now() - 2 * 60 * 60 * 1000)),
      email,
      company: (await me(alive[0])).company,
      others: locked.map(id => users.find(({ company }) => company === id) as typeof users[number])
    },
    readers: users.filter(({ company }) => !locked.includes(company)).map(({ token }) => token)
  }
}

/** Revokes the session of a token. @returns the email of its user */
async function endSession (token: string, databaseUrl: string): Promise<string> {
  const { sid, user_id: user } = readClaims(token)
  return await asAdmin(databaseUrl, async (client) => {
    await client.query('update sessions set revoked_at = now() where id = $1 and revoked_at is null', [sid])
    return (await client.query('select email from users where id = $1', [user])).rows[0].email as string
  })
}

/** The row of one attack: latency of other callers' requests before it and during it. */
async function attacked (attack: Attack, { url }: Server, target: AttackTarget, readers: string[]): Promise<Row> {
  await loadAtPace(url, readers, 2)
  const before = await loadAtPace(url, readers, seconds)
  const alone = await attack.measured?.times(target)
  const firstId = await lastId(target.databaseUrl)
  const worker = new Worker(join(import.meta.dirname, 'neighbour-attacker.ts'), { workerData: { name: attack.name, target } })
  const ended = new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject))
  await sleep((attack.lead ?? 1) * 1000)
  const [during, found = [], attacked = []] = await Promise.all([loadAtPace(url, readers, seconds), attack.beside?.(target), attack.measured?.times(target)])
  worker.postMessage('end')
  const sent = await ended
  await worker.terminate()
  const wrong = [...found, ...await attack.check?.(target) ?? []]
  const created = during.creates.times.length + during['keyed creates'].times.length
  const { name = '', limitMs = Infinity } = attack.measured ?? {}
  const measured = alone && { name, limitMs, before: alone, during: attacked }
  return neighbourRow(attack.about, { sent, before, during, measured, ids: Math.max(0, await lastId(target.databaseUrl) - firstId - created), wrong })
}

/** The percentile that is compared. Of 80 requests the 99th is the slowest one, which waits for the disk. */
const ranks = { reads: 0.99, 'filtered lists': 0.95, creates: 0.95, 'keyed creates': 0.95 } as const

/** Result of an attack. */
export interface Outcome {
  sent: number
  before: Load
  during: Load
  /** The times in ms of what others do besides, before the attack and during it. */
  measured?: { name: string, limitMs: number, before: number[], during: number[] } | undefined
  /** Contract ids drawn during the attack, without those of other companies' creates. */
  ids: number
  wrong: string[]
}

/** A percentile of others' latencies before the attack and during it. @param rank from 0 to 1 */
function change (name: keyof Load, rank: number, { before, during }: Pick<Outcome, 'before' | 'during'>): [before: number, during: number] {
  return [percentile(before[name].times, rank), percentile(during[name].times, rank)]
}

/** The row of an attack, with its verdict. */
export function neighbourRow (what: string, { sent, before, during, measured, ids, wrong }: Outcome): Row {
  const [p50, p99] = [0.5, 0.99].map(rank => measured && [percentile(measured.before, rank), percentile(measured.during, rank)])
  const besides = measured === undefined || p50 === undefined || p99 === undefined ? '' : `, ${measured.name} p50 ${p50.map(count).join(' → ')}, p99 ${p99.map(count).join(' → ')}`
  const names = Object.keys(ranks) as Array<keyof Load>
  const compared = names.map((name) => {
    const rank = ranks[name]
    const [normal, attacked] = change(name, rank, { before, during })
    return { name, normal, attacked, most: Math.max(limits.times * normal, limits.least) }
  })
  const medians = change('reads', 0.5, { before, during }).map(count).join(' → ')
  const refused = names.reduce((sum, name) => sum + during[name].refused, 0)
  const all = names.reduce((sum, name) => sum + during[name].times.length, 0)
  return {
    what,
    times: sent,
    result: `others' ms: reads p50 ${medians}, ${compared.map(({ name, normal, attacked }) => `${name} p${ranks[name] * 100} ${count(normal)} → ${count(attacked)}`).join(', ')}${besides}; ${count(refused)} of ${count(all)} refused${ids > 0 ? `; ${count(ids)} ids drawn` : ''}`,
    bad: [
      ...compared.filter(({ attacked, most }) => attacked > most).map(({ name, attacked, most }) => `others' p${ranks[name] * 100} of ${name} is ${count(attacked)} ms, limit ${count(most)} ms`),
      ...refused === 0 ? [] : [`${count(refused)} requests of others were refused`],
      ...measured === undefined || (p99?.[1] ?? 0) <= measured.limitMs ? [] : [`others' p99 of ${measured.name} is ${count(p99?.[1] ?? 0)} ms, limit ${count(measured.limitMs)} ms`],
      ...wrong
    ]
  }
}

async function lastId (databaseUrl: string): Promise<number> {
  return await asAdmin(databaseUrl, async client => Number((await client.query('select last_value from contracts_id_seq')).rows[0].last_value))
}
