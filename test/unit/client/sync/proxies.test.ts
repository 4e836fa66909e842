import fc from 'fast-check'
import t from 'tap'
import { memoryStorage } from 'obra/client/sync'
import type { Store } from 'obra/client/sync'
import { None } from '../../../support/none.ts'
import { garbage, html } from '../proxy.ts'
import { listen } from '../server.ts'
import { phone, synced, type Network, type Phone } from './phone.ts'

const server = await listen(t)
const folios = async (like: string) => (await server.psql('select folio from contracts where folio like $1 order by folio', [like])).map(({ folio }) => folio)
const isEdits = ({ method, url }: Request) => method === 'POST' && url.endsWith('/mutations/')

/** A proxy that answers requests with this text, with or without passing them on. */
function censor (network: Network, word: string, answer = () => html(403), passes = false) {
  const one = async (request: Request) => {
    if (!isEdits(request) || !(await request.clone().text()).includes(word)) return undefined
    if (passes) await (await fetch(request)).arrayBuffer()
    return answer()
  }
  network.answer = one
}

/** Synchronizes until all edits are on the server or set apart. */
async function settle ({ store }: Phone) {
  for (let count = 0; count < 60 && (count === 0 || store.status.pending > 0 || store.status.error !== undefined); count++) await store.sync().catch(() => {})
}

for (const [name, answer] of Object.entries(garbage)) {
  t.test(`an answer that is not the server's refuses no edit: ${name}`, async (t) => {
    const { store, network } = await synced(t, server)
    const [one] = [await store.contracts.create({ folio: `PRA-${name}` })]
    await store.contracts.create({ folio: `PRB-${name}` })
    const replace = (request: Request) => isEdits(request) ? answer() : undefined
    Object.assign(network, { answer: replace, acknowledge: replace })
    for (let count = 0; count < 4; count++) await t.rejects(store.sync())
    t.match([store.refused, store.blocked, store.status], [None, None, { pending: 2, refused: 0, blocked: 0, error: /./, code: 'proxy_error' }])
    Object.assign(network, { answer: undefined, acknowledge: undefined })
    await store.sync()
    t.match([store.status, await store.contracts.get(one.id)], [{ pending: 0, error: undefined, code: undefined }, { sync: 'synced' }])
    t.strictSame(await folios(`PR_-${name}`), [`PRA-${name}`, `PRB-${name}`])
  })
}

t.test('an edit that a proxy does not let through is set apart with its reason, and does not delay the others', async (t) => {
  const made = await synced(t, server, { language: 'es' })
  const { store, network } = made
  const { contracts, estimates } = store
  const bad = await contracts.create({ folio: 'PRO-01 poison' })
  const estimate = await estimates.create({ contract: bad.id, monto: '1' })
  for (let index = 10; index < 30; index++) await contracts.create({ folio: `PRO-${index}` })
  censor(network, 'poison')
  await t.rejects(store.sync(), { name: 'ObraError', code: 'proxy_error', status: 403 })
  t.equal((await folios('PRO-%')).length, 20, 'the others have arrived with the first synchronization')
  t.match(store.status, { pending: 2, code: 'proxy_error' })
  await settle(made)
  t.match(store.status, { pending: 0, waiting: 1, blocked: 1, refused: 0, error: undefined, code: undefined })
  t.match(store.blocked, [{ resource: 'contracts', id: bad.id, op: 'create', body: { folio: 'PRO-01 poison' }, status: 403, code: 'proxy_error', detail: /no deja pasar/ }])
  t.match([await contracts.get(bad.id), await estimates.get(estimate.id)], [{ sync: 'blocked' }, { sync: 'pending' }])

  const sent = network.sent.length
  await contracts.create({ folio: 'PRO-30' })
  await contracts.update(bad.id, { descripcion: 'still here' })
  await settle(made)
  t.ok((await folios('PRO-%')).includes('PRO-30'))
  t.match(store.status, { blocked: 1, waiting: 1, pending: 0 }, 'an edit of the record tries again')
  t.ok(network.sent.length - sent < 40)

  network.answer = undefined
  await store.blocked[0]?.retry()
  t.match(store.status, { blocked: 0, pending: 2, waiting: 0 })
  await store.sync()
  t.match([store.status, store.refused], [{ blocked: 0, pending: 0 }, None])
  t.match([await contracts.get(bad.id), await estimates.get(estimate.id)], [{ sync: 'synced', descripcion: 'still here' }, { sync: 'synced', contract: bad.id }])
})

t.test('a blocked edit can be corrected or discarded, with what depends on it', async (t) => {
  const made = await synced(t, server)
  const { store, network } = made
  const [first, second] = [await store.contracts.create({ folio: 'PRC-1 poison' }), await store.contracts.create({ folio: 'PRC-2 poison' })]
  const [kept, lost] = [await store.estimates.create({ contract: first.id }), await store.estimates.create({ contract: second.id })]
  censor(network, 'poison')
  await settle(made)
  t.match(store.status, { blocked: 2, waiting: 2, pending: 0 })
  await store.contracts.update(first.id, { folio: 'PRC-1' })
  await store.blocked.find(({ id }) => id === second.id)?.discard()
  await settle(made)
  t.match([store.blocked, store.refused], [None, [{ resource: 'estimates', id: lost.id, status: 424, code: 'dependency_failed' }]])
  t.match([await store.estimates.get(kept.id), await store.contracts.get(second.id)], [{ sync: 'synced' }, undefined])
  t.strictSame(await folios('PRC-%'), ['PRC-1'])
})

t.test('the order of a record is kept behind a blocked edit, and a removal can be blocked', async (t) => {
  const made = await synced(t, server)
  const { store, network } = made
  const { id } = await store.contracts.create({ folio: 'PRD-1', descripcion: 'one' })
  const gone = await store.contracts.create({ folio: 'PRD-2' })
  await store.sync()
  await store.contracts.update(id, { descripcion: 'poison' })
  await store.contracts.create({ folio: 'PRD-3' })
  await store.contracts.update(id, { monto: '2.00' })
  await store.contracts.remove(gone.id)
  const record = (await server.psql("select id from contracts where folio = 'PRD-2'"))[0]?.['id']
  censor(network, 'poison')
  const { answer } = network
  network.answer = async request => isEdits(request) && /"op":"delete"/.test(await request.clone().text()) ? html(403) : await answer?.(request)
  await settle(made)
  t.match(store.status, { blocked: 2, waiting: 1, pending: 0 })
  t.match(store.blocked, [{ op: 'update', body: { descripcion: 'poison' } }, { op: 'delete', id: gone.id }])
  t.match(await server.psql("select descripcion, monto::text from contracts where folio = 'PRD-1'"), [{ descripcion: 'one', monto: '0.00' }])
  network.answer = undefined
  for (const { retry } of [...store.blocked]) await retry()
  await settle(made)
  t.match([store.status, store.refused], [{ blocked: 0, waiting: 0, pending: 0 }, None])
  t.match(await server.psql("select descripcion, monto::text from contracts where folio = 'PRD-1'"), [{ descripcion: 'poison', monto: '2.00' }])
  t.strictSame(await server.psql('select id from contracts where id = $1', [record]), [])
})

t.test('blocked edits are sent again after an hour, even if the clock was set back', async (t) => {
  for (const hours of [-2, 2]) {
    const storage = memoryStorage()
    const made = await synced(t, server, { storage })
    const { store, network } = made
    const folio = `PRE-${hours} poison`
    await store.contracts.create({ folio })
    censor(network, 'poison')
    await settle(made)
    network.answer = undefined
    await store.sync()
    t.match([store.status, await folios(folio)], [{ blocked: 1 }, None], 'not at once')
    await storage.transaction('write', async ({ list, write }) => {
      const edits = (await list('store/')).filter(([, value]) => (value as { blockedAt?: number }).blockedAt !== undefined)
      await write(edits.map(([key, value]) => [key, { ...value as object, blockedAt: Date.now() + hours * 60 * 60_000 }]))
    })
    await store.sync()
    t.match([store.status, await folios(folio)], [{ blocked: 0, pending: 0 }, [folio]])
  }
})

const breaks = { 'is reset': () => new TypeError('fetch failed'), 'gets no answer': () => new DOMException('The operation timed out.', 'TimeoutError') }
for (const [name, error] of Object.entries(breaks)) {
  t.test(`a connection that ${name} with the content of one edit delays nothing else, and sets the edit apart`, async (t) => {
    const [made, other] = [await synced(t, server), await synced(t, server)]
    const { store, network } = made
    const like = `PRF-${name}`
    const { id } = await store.contracts.create({ folio: `${like}-1 poison` })
    for (let index = 2; index < 9; index++) await store.contracts.create({ folio: `${like}-${index}` })
    await other.store.contracts.create({ folio: `${like}-other` })
    await other.store.sync()
    censor(network, 'poison', () => { throw error() })
    await t.rejects(store.sync(), { name: error() instanceof TypeError ? 'TypeError' : 'TimeoutError' })
    t.equal((await folios(`${like}-%`)).length, 8)
    t.match([store.status, store.blocked], [{ pending: 1, code: 'offline' }, None])
    t.match(await store.contracts.list({ folio: `${like}-other` }), [{ sync: 'synced' }], 'the changes of others arrive')
    await settle(made)
    t.match(store.status, { pending: 0, blocked: 1, error: undefined })
    t.match(store.blocked, [{ id, status: 0, code: 'offline', detail: /proxy or firewall/ }])
    network.answer = undefined
    await store.blocked[0]?.retry()
    await store.sync()
    t.match([store.status, await store.contracts.get(id)], [{ pending: 0, blocked: 0 }, { sync: 'synced' }])
  })
}

t.test('a network that loses single requests or is down sets no edit apart', async (t) => {
  const { store, network } = await synced(t, server)
  let requests = 0
  network.answer = (request) => {
    if (isEdits(request) && (requests += 1) % 2 === 1) throw new TypeError('fetch failed')
    return undefined
  }
  for (let index = 0; index < 5; index++) {
    const { id } = await store.contracts.create({ folio: `PRH-${index}` })
    await store.sync()
    t.match([store.status, await store.contracts.get(id)], [{ pending: 0, blocked: 0 }, { sync: 'synced' }])
  }
  await store.contracts.create({ folio: 'PRH-9' })
  const fail = () => { throw new TypeError('fetch failed') }
  Object.assign(network, { answer: fail, acknowledge: fail })
  for (let count = 0; count < 5; count++) await t.rejects(store.sync(), { code: 'offline' })
  t.match(store.status, { pending: 1, blocked: 0 })
})

t.test('an update that the server has run before it was blocked is sent again as a new edit', async (t) => {
  const [made, other] = [await synced(t, server), await synced(t, server)]
  const { contracts } = made.store
  const ids = new Map<string, string | number>()
  for (const name of ['alone', 'other', 'base']) ids.set(name, (await contracts.create({ folio: `PRI-${name}`, descripcion: 'one' })).id)
  await made.store.sync()
  await other.store.sync()
  for (const id of ids.values()) await contracts.update(id, { descripcion: 'poison' })
  censor(made.network, 'poison', () => html(403), true)
  await t.rejects(made.store.sync())
  const descriptions = async () => (await server.psql("select descripcion from contracts where folio like 'PRI-%' order by folio")).map(({ descripcion }) => descripcion)
  t.strictSame(await descriptions(), ['poison', 'poison', 'poison'], 'the server has run them')
  await other.store.sync()
  for (const [name, descripcion] of [['other', 'two'], ['base', 'one']]) {
    const [record] = await other.store.contracts.list({ folio: `PRI-${name}` })
    await other.store.contracts.update(record?.id as number, { descripcion })
  }
  await other.store.sync()
  await settle(made)
  t.match(made.store.blocked.map(({ id }) => id), [ids.get('other'), ids.get('base')], 'the copy shows the other one')
  t.strictSame(await descriptions(), ['poison', 'one', 'two'], 'repetitions with the same number change nothing')
  made.network.answer = undefined
  while (made.store.blocked.length > 0) await made.store.blocked[0]?.retry()
  await settle(made)
  t.match([made.store.status, made.store.conflicts], [{ blocked: 0, pending: 0, conflicts: 1 }, [{ id: ids.get('other'), fields: { descripcion: { mine: 'poison', theirs: 'two' } } }]])
  t.strictSame(await descriptions(), ['poison', 'poison', 'two'])
})

t.test('a creation and a removal that the server has run before they were blocked change nothing more', async (t) => {
  const made = await synced(t, server)
  const { contracts } = made.store
  const gone = await contracts.create({ folio: 'PRJ-gone' })
  await made.store.sync()
  made.network.answer = async (request) => {
    if (!isEdits(request)) return undefined
    await (await fetch(request)).arrayBuffer()
    return html(403)
  }
  await contracts.create({ folio: 'PRJ-new' })
  await contracts.remove(gone.id)
  for (let count = 0; count < 4; count++) await made.store.sync().catch(() => {})
  made.network.answer = undefined
  while (made.store.blocked.length > 0) await made.store.blocked[0]?.retry()
  await settle(made)
  t.match([made.store.status, made.store.refused], [{ blocked: 0, pending: 0, conflicts: 0 }, None])
  t.strictSame(await folios('PRJ-%'), ['PRJ-new'])
})

t.test('more blocked edits than a synchronization tries hold up nothing for ever', async (t) => {
  const made = await synced(t, server)
  const { store, network } = made
  for (let index = 10; index < 35; index++) await store.contracts.create({ folio: `PRG-${index} poison` })
  await store.contracts.create({ folio: 'PRG-99' })
  censor(network, 'poison')
  await settle(made)
  t.match([store.status, await folios('PRG-%')], [{ blocked: 25, pending: 0, refused: 0 }, ['PRG-99']])
})

/** What a proxy does with a request: passes it on or not, then answers it itself, or loses the answer. */
const faults = fc.record({ kind: fc.constantFrom(...Object.keys(garbage), 'lost'), passes: fc.boolean() })
const plans = fc.record({
  edits: fc.array(fc.record({ isPoison: fc.boolean(), estimates: fc.nat(2), updates: fc.nat(2) }), { minLength: 1, maxLength: 8 }),
  schedule: fc.array(fc.option(faults, { freq: 2 }), { maxLength: 25 }),
  poison: fc.record({ kind: fc.constantFrom('HTML 400', 'HTML 403', 'HTML 413', 'JSON of a gateway'), passes: fc.boolean() })
})
let runs = 0

t.test('whatever proxies answer: no edit is lost or runs twice, none is refused, and all that can arrive do', async (t) => {
  await fc.assert(fc.asyncProperty(plans, async ({ edits, schedule, poison }) => {
    const run = `RUN-${runs += 1}-`
    let ended = 0
    const made = await phone(t, server)
    const { store, network, obra } = made
    obra.watchUser(() => { ended += Number(obra.user === undefined) })
    await store.sync()
    for (const [index, { isPoison, estimates, updates }] of edits.entries()) {
      const { id } = await store.contracts.create({ folio: `${run}${index}`, descripcion: isPoison ? 'poison' : '' })
      for (let count = 0; count < estimates; count++) await store.estimates.create({ contract: id, monto: `${count}.00` })
      for (let count = 0; count < updates; count++) await store.contracts.update(id, { monto: `${count + 1}00.00` })
    }
    const replaced = async (request: Request, { kind, passes }: { kind: string, passes: boolean }) => {
      if (passes) await (await fetch(request)).arrayBuffer()
      if (kind === 'lost') throw new TypeError('fetch failed')
      return garbage[kind]?.()
    }
    let [requests, isCensored] = [0, true]
    const proxy = async (request: Request) => {
      const fault = schedule[requests++]
      if (fault != null) return await replaced(request, fault)
      return isCensored && isEdits(request) && (await request.clone().text()).includes('poison') ? await replaced(request, poison) : undefined
    }
    Object.assign(network, { answer: proxy, acknowledge: proxy })
    const wrong = (what: string) => { throw new Error(`${what}: ${JSON.stringify([store.status, store.refused, store.blocked])}`) }
    const countOf = async (sql: string) => (await server.psql(sql, [`${run}%`]))[0]?.['count']
    const isIntact = async (store: Store) => (await store.contracts.list(({ folio }) => folio.startsWith(run))).length === edits.length
    for (let syncs = 0; syncs < 80 && (syncs === 0 || requests < schedule.length || store.status.pending > 0 || store.status.error !== undefined); syncs++) {
      await store.sync().catch(() => {})
      if (store.status.refused + store.status.conflicts > 0) wrong('refused without a verdict')
      if (!await isIntact(store)) wrong('lost on the device')
    }
    if (store.status.pending > 0) wrong('edits that could arrive did not')
    for (const { body } of store.blocked) if (requests > schedule.length + 200 && body['descripcion'] !== 'poison') wrong('blocked without a reason')
    isCensored = false
    while (store.blocked.length > 0) await store.blocked[0]?.retry()
    for (let syncs = 0; syncs < 10 && (syncs === 0 || store.status.pending > 0); syncs++) await store.sync().catch(() => {})
    const { pending, waiting, blocked, refused, conflicts } = store.status
    if (pending + waiting + blocked + refused + conflicts > 0) wrong('not everything arrived')
    const wanted = [edits.length, edits.reduce((sum, { estimates }) => sum + estimates, 0)]
    const found = [await countOf('select count(*)::int from contracts where folio like $1'), await countOf('select count(*)::int from estimates where contract_id in (select id from contracts where folio like $1)')]
    if (JSON.stringify(found) !== JSON.stringify(wanted)) wrong(`the server has ${found.join()} of ${wanted.join()}`)
    const amounts = (await server.psql('select monto::text from contracts where folio like $1 order by folio', [`${run}%`])).map(({ monto }) => monto)
    if (amounts.join() !== edits.map(({ updates }) => updates === 0 ? '0.00' : `${updates}00.00`).join()) wrong('another order')
    if (ended > 0) wrong('logged out')
    await store.close()
    await server.psql('delete from estimates where contract_id in (select id from contracts where folio like $1)', [`${run}%`])
    await server.psql('delete from contracts where folio like $1', [`${run}%`])
  }), { numRuns: 12 })
  t.pass()
})
