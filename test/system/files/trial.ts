import { randomUUID } from 'node:crypto'
import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pick, randomFrom, type Random } from '../../support/trial/random.ts'
import { described, fileOf, sha256Of } from '../../support/attaching.ts'
import { nodeOptions, type Place } from '../../support/process.ts'
import type { Outcome } from '../kernel/places.ts'
import { looking, type Psql } from '../kernel/psql.ts'
import { Site } from '../kernel/site.ts'
import { LossyProxy } from './lossy-proxy.ts'
import { Sender } from './sender.ts'
import { sendParts, sendWhole } from './uploads.ts'

/** Users who send files, of two customers. */
const staff = ['director@demo.example', 'coordinador@demo.example', 'director@otra.example', 'director@otra.example']

/** Files that each user sends at once. */
const atOnce = 2

/** The largest sizes of files in bytes. Most files are small. */
const sizes = [2000, 40_000, 40_000, 300_000, 2_000_000]

/** An attachment that a server has acknowledged. */
interface Kept {
  id: number
  sha256: string
  email: string
  isDeleted: boolean
}

/** Length of a trial. */
interface Plan {
  seed: number
  files: number
  /** Kills of a server. */
  kills: number
}

/** Sends files while networks and servers fail; then compares what every server has with what was acknowledged. */
export async function trial (place: Place, { seed, files, kills }: Plan): Promise<Outcome> {
  const random = randomFrom(seed)
  await using site = await Site.open(place, randomFrom(seed + 1), nodeOptions)
  await using proxy = await LossyProxy.open(() => site.origins, randomFrom(seed + 2))
  const senders = staff.map((email, number) => new Sender(email, () => proxy.port, randomFrom(seed + 10 + number)))
  const kept: Kept[] = []
  const faults: string[] = []
  let begun = 0
  const use = async (sender: Sender, contract: number, own: Random) => {
    while (begun++ < files) await send(sender, contract, own, kept, faults)
  }
  const used = Promise.all(senders.map(async (sender, number) => {
    await sender.logIn()
    const { body: { id } } = await sender.json('POST', 'contracts/', { folio: `FILES-${number}` }, randomUUID())
    await Promise.all(Array.from({ length: atOnce }, async (_, own) => await use(sender, id, randomFrom(seed + 100 + 10 * number + own))))
  }))
  await Promise.all([used, disturb(site, kills, random, () => kept.length, files)])

  proxy.hasFaults = false
  await judge(site, senders, kept, faults, place)
  const { connections, ...broken } = proxy.counts
  return { faults: [...faults, ...senders.flatMap(sender => sender.faults)], counts: { files: kept.length, deleted: kept.filter(file => file.isDeleted).length, connections, ...broken, kills } }
}

/** Creates an attachment, sends its file by PUT or in parts, first sometimes with a wrong byte, and deletes some. */
async function send (sender: Sender, contract: number, random: Random, kept: Kept[], faults: string[]): Promise<void> {
  // Some have the bytes of an earlier file, of the same company or another one.
  const content = random() < 0.15 ? `shared ${Math.floor(random() * 8)}` : randomUUID()
  const file = fileOf('image/jpeg', content, content.startsWith('shared') ? 60_000 : 100 + Math.floor(random() * pick(sizes, random)))
  const { status, body, bytes } = await sender.json('POST', 'adjuntos/', { ...described(file, 'image/jpeg'), contract }, randomUUID())
  if (status !== 201) {
    faults.push(`an attachment was answered by ${status} ${bytes.toString().slice(0, 200)}`)
    return
  }
  const { id, sha256 }: Kept = body
  const deliver = random() < 0.4 ? sendWhole : sendParts
  if (random() < 0.1 && !content.startsWith('shared')) {
    const wrong = Buffer.from(file)
    wrong[wrong.length - 1] = 255 - (wrong.at(-1) as number)
    const answer = await deliver(sender, id, wrong, random)
    if (answer.status !== 400) faults.push(`attachment ${id} with a wrong byte was answered by ${answer.status}`)
  }
  const answer = await deliver(sender, id, file, random)
  const { body: record } = await sender.certain({ method: 'GET', path: `adjuntos/${id}/` })
  if (![200, 204].includes(answer.status) || record?.estado !== 'listo') {
    faults.push(`attachment ${id} was answered by ${answer.status} ${answer.bytes.toString().slice(0, 200)}, and is ${record?.estado}`)
  }
  const isDeleted = random() < 0.15
  if (isDeleted) await sender.certain({ method: 'DELETE', path: `adjuntos/${id}/` })
  kept.push({ id, sha256, email: sender.email, isDeleted })
}

/** Kills servers while files are sent. */
async function disturb (site: Site, kills: number, random: Random, sent: () => number, files: number): Promise<void> {
  for (let kill = 1; kill <= kills; kill++) {
    const enough = files * kill / (kills + 1)
    while (sent() < enough) await sleep(10 + random() * 50)
    await killWhileAging(site, async psql => await psql(`update stored_files set ${older('unused_since')}`))
  }
}

/** SQL that lets two days pass. */
const older = (column: string) => `${column} = ${column} - interval '2 days'`

/** Kills a server and makes what nothing uses old, so that the job of the server's next process removes it. */
async function killWhileAging (site: Site, age: (psql: Psql) => Promise<unknown>): Promise<void> {
  await site.stopped(async () => await looking(site.place, age))
  await site.ready()
}

/** Compares attachments, bytes and folder with what was acknowledged, after the job of a new server has run. */
async function judge (site: Site, senders: Sender[], kept: Kept[], faults: string[], place: Place): Promise<void> {
  await killWhileAging(site, async (psql) => {
    await psql(`update stored_files set ${older('unused_since')}`)
    await psql(`update uploads set ${older('begun_at')}, ${older('active_at')}`)
    const incoming = join(place.dataDir, 'files/incoming')
    for (const name of readdirSync(incoming)) utimesSync(join(incoming, name), 0, 0)
  })
  const [one] = senders
  const other = senders.find(({ email }) => email.endsWith('@otra.example'))
  if (one === undefined || other === undefined) throw new Error('the trial needs users of two customers')
  for (const { id, sha256, email, isDeleted } of kept) {
    const [owner, stranger] = email === other.email ? [other, one] : [one, other]
    const path = `adjuntos/${id}/contenido/`
    const found = await owner.certain({ method: 'GET', path })
    const isRight = isDeleted ? found.status === 404 : found.status === 200 && sha256Of(found.bytes) === sha256
    if (!isRight) faults.push(`attachment ${id} of ${email} is ${found.status} with other bytes`)
    const seen = await stranger.certain({ method: 'GET', path })
    if (seen.status !== 404) faults.push(`attachment ${id} of ${email} is ${seen.status} for ${stranger.email}`)
  }
  const late = performance.now() + 60_000
  for (let leftovers = await leftoversOf(site, place); leftovers.length > 0; leftovers = await leftoversOf(site, place)) {
    if (performance.now() > late) {
      faults.push(...leftovers.slice(0, 20))
      return
    }
    // To look at an embedded database ends its server, whose job needs some seconds.
    await sleep(site.url === undefined ? 7000 : 1000)
  }
}

/** What differs between the attachments, the table of stored files and the folder. */
async function leftoversOf (site: Site, place: Place): Promise<string[]> {
  const { used, rows, uploads } = await site.look(async psql => ({
    used: (await psql("select distinct company_id, sha256 from adjuntos where estado = 'listo'")).map(nameOf),
    rows: (await psql('select company_id, sha256 from stored_files')).map(nameOf),
    uploads: (await psql('select id from uploads')).length
  }))
  const folder = join(place.dataDir, 'files')
  const stored = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath.slice(folder.length + 1)}/${name}`)
  const differences = (what: string, one: string[], two: string[]) => one.filter(name => !two.includes(name)).map(name => `${what}: ${name}`)
  return [
    ...differences('no row for', used, rows), ...differences('no bytes for', used, stored), ...differences('a row that nothing uses', rows, used),
    ...differences('bytes that nothing uses', stored, used), ...uploads === 0 ? [] : [`${uploads} uploads are left`]
  ]
}

function nameOf (row: Record<string, any>): string {
  return `${row['company_id']}/${row['sha256']}`
}
