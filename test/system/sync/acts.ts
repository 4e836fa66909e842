import { setTimeout as sleep } from 'node:timers/promises'
import type { Id, LocalRecord } from 'obra/client/sync'
import { pick } from '../../support/trial/random.ts'
import { type Edit, identities, identityOf, texts, type Tried } from './ledger.ts'
import type { Phone } from './phone.ts'

type Shown = LocalRecord<Tried> & Record<string, unknown>

/** What users do, with its weight. */
const acts: Array<[weight: number, act: (phone: Phone) => Promise<unknown>]> = [
  [10, create],
  [20, update],
  [5, remove],
  [5, resolveConflict],
  [3, resolveRefusal],
  [10, async phone => await phone.sync()],
  [12, async (phone) => { phone.sync().catch(() => {}) }],
  [2, async phone => await Promise.all([phone.sync(), phone.sync()])],
  [1, async phone => await phone.crash()],
  [1, switchCompany],
  [1, async (phone) => { phone.offlineFor = Math.ceil(phone.random() * 80) }]
]
const list = acts.flatMap(([weight, act]) => Array.from({ length: weight }, () => act))

/** Does something at random, as the user of a phone. Errors of the network are no surprise to an app. */
export async function act (phone: Phone): Promise<void> {
  if (phone.offlineFor > 0) phone.offlineFor--
  await pick(list, phone.random)(phone)
}

/** All records of a resource that the phone shows. */
export async function listOf (phone: Phone, resource: Tried): Promise<Shown[]> {
  return await phone.store[resource].list()
}

/** A record: often one of the first, which other phones also edit, or one of the last, which are new. */
async function choose (phone: Phone, resource: Tried): Promise<Shown | undefined> {
  const all = await listOf(phone, resource)
  const some = pick([all.slice(0, 3), all.slice(-5), all], phone.random)
  // The demo estimates have no name of their own.
  const named = some.filter(record => record[identities[resource]] != null)
  return named.length === 0 ? undefined : pick(named, phone.random)
}

async function create (phone: Phone): Promise<void> {
  const { store, ledger, random, name: by } = phone
  const resource = pick(['contrapartes', 'contracts', 'contracts', 'estimates'] as const, random)
  const name = ledger.text(by)
  const contract = await choose(phone, 'contracts')
  const parent = random() < 0.3 ? contract?.id : undefined
  const contraparte = random() < 0.3 ? (await choose(phone, 'contrapartes'))?.id : undefined
  if (resource === 'estimates' && contract === undefined) return
  await record(phone, { resource, op: 'create', id: undefined, identity: name, field: identities[resource], token: name }, async () => {
    switch (resource) {
      case 'contrapartes': return await store.contrapartes.create({ nombre: name })
      case 'contracts': return await store.contracts.create({ folio: name, ...parent !== undefined && { parent }, ...contraparte !== undefined && { contraparte } })
      case 'estimates': return await store.estimates.create({ contract: contract?.id, external_id: name } as never)
    }
  })
}

async function update (phone: Phone): Promise<void> {
  const { ledger, random, name } = phone
  const resource = pick(['contrapartes', 'contracts', 'contracts', 'contracts', 'estimates'] as const, random)
  const chosen = await choose(phone, resource)
  if (chosen === undefined) return
  const [field, token] = resource === 'contracts' && random() < 0.4 ? ['monto', ledger.amount()] : [texts[resource], ledger.text(name)]
  // Forms pass the value that the user saw, and which can change while the user types.
  const base = random() < 0.5 ? { [field]: chosen[field] } : undefined
  if (base !== undefined) await sleep(random() * 50)
  noteReports(phone)
  await record(phone, { resource, op: 'update', id: chosen.id, identity: identityOf(resource, chosen), field, token },
    async () => await phone.store[resource].update(chosen.id, { [field]: token }, base === undefined ? {} : { base }))
}

async function remove (phone: Phone): Promise<void> {
  const resource = pick(['contrapartes', 'contracts', 'estimates'] as const, phone.random)
  // A new copy of the records could give the id to another record before the removal.
  await phone.idle()
  const chosen = await choose(phone, resource)
  if (chosen === undefined || !/^p\d+-/.test(identityOf(resource, chosen))) return
  noteReports(phone)
  await record(phone, { resource, op: 'remove', id: chosen.id, identity: identityOf(resource, chosen), field: '', token: `removal ${phone.ledger.all.length}` }, async () => {
    await phone.store[resource].remove(chosen.id)
    return chosen
  })
}

/** Enters an edit in the ledger and makes it. Without a record there is nothing to edit, and without a company nowhere to keep it. */
async function record (phone: Phone, edit: Omit<Edit, 'phone' | 'company' | 'order' | 'isKept' | 'isGivenUp' | 'wasReported'>, make: () => Promise<{ id: Id }>): Promise<void> {
  const entered = phone.ledger.add({ ...edit, phone: phone.name, company: 0 })
  try {
    const shown = await make() as Shown
    Object.assign(entered, { id: shown.id, company: shown['company'], isKept: true, ...edit.op === 'update' && { identity: identityOf(edit.resource, shown) } })
  } catch (error) {
    if (!['not_found', 'not_authenticated'].includes((error as { code?: string }).code ?? '')) throw error
    entered.isGivenUp = true
  }
}

async function resolveConflict (phone: Phone): Promise<void> {
  const { store: { conflicts }, ledger, random, name } = phone
  if (conflicts.length === 0) return
  const { resource, id, fields, ...conflict } = pick(conflicts, random)
  noteReports(phone)
  const [field] = Object.keys(fields) as [string]
  const own = ledger.all.filter(edit => edit.phone === name && edit.resource === resource && edit.id === id && Object.keys(fields).includes(edit.field))
  const [last] = own.slice(-1)
  const at = random()
  if (at < 0.4 || last === undefined) {
    await inCompany(conflict.keepMine())
    return
  }
  if (at < 0.7) {
    if (await inCompany(conflict.keepTheirs())) giveUp(own)
    return
  }
  const token = field === 'monto' ? ledger.amount() : ledger.text(name)
  const entered = ledger.add({ ...last, field, token })
  if (!await inCompany(conflict.set({ [field]: token }))) return
  giveUp(own.filter(edit => edit.field === field))
  // The conflict can be over, with nothing left to send.
  entered.isKept = (await phone.store[resource].get(id) as Shown | undefined)?.[field] === token
}

async function resolveRefusal (phone: Phone): Promise<void> {
  const { store: { refused }, ledger, random, name } = phone
  if (refused.length === 0) return
  const one = pick(refused, random)
  noteReports(phone)
  const own = ledger.all.filter(edit => edit.phone === name && edit.resource === one.resource && (edit.token === one.body[edit.field] || (edit.id === one.id && (one.op === 'create' || (one.op === 'delete' && edit.op === 'remove')))))
  if (await inCompany(one.discard())) giveUp(own)
}

/** Whether the store has done it. It refuses actions on what the app read in another company: a synchronization can notice the switch meanwhile. */
async function inCompany (action: Promise<void>): Promise<boolean> {
  return await action.then(() => true, (error) => {
    if (error.code === 'not_authenticated') return false
    throw error
  })
}

function giveUp (edits: Edit[]): void {
  for (const edit of edits) edit.isGivenUp = true
}

/** Marks the edits that the store shows as refused, blocked or in conflict. A later edit or removal of their records replaces them. */
export function noteReports ({ store: { conflicts, refused, blocked }, ledger, name }: Phone): void {
  const text = JSON.stringify([conflicts.map(({ fields }) => Object.values(fields).map(({ mine }) => mine)), [...refused, ...blocked].map(({ body }) => body)])
  for (const edit of ledger.in(text)) if (edit.phone === name) edit.wasReported = true
}

/** The user makes another company active, on this phone. */
async function switchCompany (phone: Phone): Promise<void> {
  const { client, user, random } = phone
  if (user.companies.length > 1) await client.PATCH('/api/v1/me/', { body: { company: pick(user.companies, random) } }).catch(() => {})
}
