import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { tokensOf } from '../../support/over-http.ts'
import type { Place } from '../../support/process.ts'
import { pick, randomFrom, type Random } from '../../support/trial/random.ts'
import { act } from './acts.ts'
import { looking } from '../kernel/psql.ts'
import { Site } from '../kernel/site.ts'
import { installAudit, type Write } from './audit.ts'
import { judge, type Result } from './judge.ts'
import { Ledger } from './ledger.ts'
import { Network } from './network.ts'
import { Phone, type User } from './phone.ts'
import { backupOf, type Backup } from './backup.ts'

/** Users, each with the number of phones: with and without the right to write, in one company or two, of two customers. */
const staff: Array<[email: string, companies: string[]]> = [
  ['coordinador@demo.example', ['Obra Norte']],
  ['director@demo.example', ['Obra Norte', 'Obra Sur']],
  ['director@otra.example', ['Otra Uno']],
  ['coordinador@demo.example', ['Obra Norte']],
  ['director@demo.example', ['Obra Norte', 'Obra Sur']],
  ['auxiliar@demo.example', ['Obra Norte']],
  ['corporativo@demo.example', ['Obra Norte', 'Obra Sur']]
]

/** What happens to the servers while phones are used. */
export type Event = 'kill' | 'save' | 'restore'

/** Length and size of a trial. */
export interface Plan {
  seed: number
  phones: number
  /** Events, in order. */
  events: Event[]
  /** Number of edits that servers answer before, between and after the events. */
  edits: number
}

/** Uses phones while networks, servers and the phones themselves fail; then lets all of them synchronize, and compares. */
export async function trial (place: Place, { seed, phones: count, events, edits }: Plan): Promise<Result> {
  const random = randomFrom(seed)
  await looking(place, installAudit)
  await using site = await Site.open(place, randomFrom(seed + 1))
  await using backup = backupOf(site)
  const network = new Network(() => site.origins)
  const ledger = new Ledger()
  const companies = new Map((await site.look(async psql => await psql('select id, nombre from companies'))).map(({ id, nombre }) => [nombre as string, id as number]))
  const phones: Phone[] = []
  for (let number = 0; number < count; number++) {
    const [email, allowed] = staff[number % staff.length]
    const known = phones.find(({ user }) => user.email === email)?.user
    const user: User = known ?? { email, companies: allowed.map(name => companies.get(name) as number), tokens: await tokensOf(site.origins[0], email, demoPassword) }
    phones.push(new Phone(`p${number}`, user, { network, ledger, random: randomFrom(seed + 10 + number), path: number % 2 === 1 ? join(place.dir, `phone-${number}`) : undefined }))
  }
  await Promise.all(phones.map(async phone => await phone.open()))

  const real = Date.now
  const lost: Write[][] = []
  try {
    const state = { isOver: false }
    const used = Promise.all(phones.map(async (phone) => {
      while (!state.isOver) {
        await act(phone)
        await sleep(phone.random() * (phone.hasFailed ? 200 : 40))
        // The clock of the phones.
        if (phone.random() < 0.05) Date.now = shifted(real, phone.random)
      }
    }))
    await Promise.race([used, happen(site, backup, network, lost, events, async () => await answered(phones, edits * (0.5 + random())), random)])
    state.isOver = true
    await used
  } finally {
    Date.now = real
  }
  network.hasFaults = false
  for (const phone of phones) phone.offlineFor = 0
  await sleep(700)
  await network.idle()
  return await judge(site, network, phones, ledger, lost)
}

/** A clock that is wrong by up to a day. */
function shifted (real: () => number, random: Random): () => number {
  const by = (random() - 0.5) * 86_400_000
  return () => real() + by
}

/** Waits until servers have answered this many edits more, at most 20 s. */
async function answered (phones: Phone[], edits: number): Promise<void> {
  const total = () => phones.reduce((sum, { wire }) => sum + wire.answered, 0)
  const end = performance.now() + 20_000
  for (const enough = total() + edits; total() < enough && performance.now() < end;) await sleep(20)
}

/** @param used waits until the phones were used */
async function happen (site: Site, backup: Backup, network: Network, lost: Write[][], events: Event[], used: () => Promise<void>, random: Random): Promise<void> {
  for (const event of events) {
    await used()
    if (event === 'kill') await site.stopped(async () => {})
    // The clock of the database is wrong by up to an hour.
    if (event === 'save') await backup.save(Math.round((random() - 0.5) * 7200))
    if (event === 'restore') {
      await network.without(async () => {
        lost.push(await backup.restore())
        network.timeline++
      })
    }
    await site.ready()
  }
  await used()
}

/** A plan of this many kills, with a backup, clock change and restore among them. */
export function planOf (seed: number, phones: number, rounds: number, edits: number): Plan {
  const random = randomFrom(seed)
  const events = Array.from({ length: rounds }, (): Event[] => pick([['kill', 'save', 'restore'], ['save', 'kill', 'restore'], ['save', 'restore', 'kill']], random)).flat()
  return { seed, phones, events, edits }
}
