import { brokenRules } from '../kernel/rules.ts'
import type { Site } from '../kernel/site.ts'
import { noteReports } from './acts.ts'
import { readAudit, type Write } from './audit.ts'
import { unaccounted } from './fates.ts'
import type { Edit, Ledger } from './ledger.ts'
import type { Network } from './network.ts'
import type { Phone } from './phone.ts'
import { awaits, differences, lists, presentIn, renamed, serverState, shows, stateOf, type PhoneState } from './states.ts'
import { attribute } from './writes.ts'

/** The result of a trial. */
export interface Result {
  faults: string[]
  counts: Record<string, number>
}

/** Synchronizes all phones in all of their companies, and compares them with the server. */
export async function judge (site: Site, network: Network, phones: Phone[], ledger: Ledger, lost: Write[][]): Promise<Result> {
  const faults: string[] = []
  const states: PhoneState[] = []
  for (const isLast of [false, true]) {
    for (const phone of phones) {
      for (const company of phone.user.companies) {
        await settle(phone, company, faults)
        if (isLast) states.push(await stateOf(phone, company))
      }
    }
  }
  for (const phone of phones) noteReports(phone)
  for (const phone of phones) await phone.close()
  const wires = new Map(phones.map(({ name, wire }) => [name, wire]))
  for (const [name, wire] of wires) faults.push(...wire.faults.map(fault => `${name}: ${fault}`))

  const { writes, servers, broken } = await site.look(async psql => ({
    writes: await readAudit(psql),
    servers: await serverState(psql, [...new Set(phones.flatMap(({ user }) => user.companies))]),
    broken: await brokenRules(psql)
  }))
  const timelines = [...lost, writes].map(all => attribute(all, ledger, wires))
  faults.push(...broken, ...timelines.flatMap(({ faults }) => faults), ...states.flatMap(state => differences(state, servers)))
  const applied = timelines.map(({ applied }) => applied)
  const created = ledger.all.filter(edit => edit.op === 'create' && edit.isKept && applied.at(-1)?.has(edit))
  faults.push(...states.flatMap(state => renamed(state, created)))
  const isListed = (edit: Edit) => states.some(state => lists(state, edit))
  const isShown = (edit: Edit) => states.some(state => shows(state, edit) || awaits(state, edit))
  faults.push(...unaccounted({ ledger, wires, applied: applied.at(-1) as (typeof applied)[number], lost: applied.slice(0, -1), present: presentIn(servers), isListed, isShown }))
  const counts = {
    edits: ledger.all.length,
    applied: applied.at(-1)?.size ?? 0,
    reported: ledger.all.filter(isListed).length,
    syncs: phones.reduce((sum, { counts }) => sum + counts.syncs, 0),
    crashes: phones.reduce((sum, { counts }) => sum + counts.crashes, 0),
    restores: lost.length,
    ...network.counts
  }
  return { faults: [...new Set(faults)], counts }
}

/** Synchronizes a phone in a company until it has nothing left to send. */
async function settle (phone: Phone, company: number, faults: string[]): Promise<void> {
  const { data } = await phone.client.PATCH('/api/v1/me/', { body: { company } })
  if (data?.company !== company) throw new Error(`${phone.name} cannot switch to company ${company}`)
  for (let attempt = 1; attempt <= 5; attempt++) {
    for (const one of phone.store.blocked) await one.retry()
    const error = await phone.sync()
    if (error === undefined && phone.store.status.pending === 0) return
    if (attempt === 5) faults.push(`${phone.name}, company ${company}: without faults, a synchronization fails: ${error?.message ?? `${phone.store.status.pending} pending`}`)
  }
}
