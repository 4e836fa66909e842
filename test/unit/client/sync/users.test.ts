import t from 'tap'
import { memoryStorage } from 'obra/client/sync'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { busy } from '../answers.ts'
import { listen } from '../server.ts'
import { list } from './entries.ts'
import { phone, synced } from './phone.ts'
import { until } from '../../../support/until.ts'
import { None } from '../../../support/none.ts'

const server = await listen(t)
const logIn = { director: { email: 'director@demo.example', password: demoPassword }, coordinador: { email: 'coordinador@demo.example', password: demoPassword } }

t.test('after a log-out the store shows nothing and takes no edits; the same user finds everything again', async (t) => {
  const { store, obra } = await synced(t, server)
  const { id } = await store.contracts.create({ folio: 'USE-1' })
  await obra.logOut()
  t.strictSame([await store.contracts.list(), await store.contracts.get(id), store.refused], [[], undefined, []])
  await t.rejects(store.contracts.create({ folio: 'USE-2' }), { code: 'not_authenticated' })
  await obra.logIn(logIn.director)
  t.match(await store.contracts.get(id), { folio: 'USE-1', sync: 'pending' })
  await store.sync()
  t.match(await store.contracts.get(id), { sync: 'synced' })
})

t.test('a log-out without a connection fails, but the store shows nothing and the client has no password', async (t) => {
  const { store, obra, network } = await synced(t, server)
  network.isOnline = false
  await t.rejects(obra.logOut(), TypeError)
  t.strictSame([obra.user, await store.contracts.list()], [undefined, []])
  network.isOnline = true
  await t.rejects(obra.GET('/api/v1/me/'), { code: 'not_authenticated' })
})

t.test('a log-out and a log-in are shown to listeners of the status', async (t) => {
  const { store, obra } = await synced(t, server)
  await store.contracts.create({ folio: 'USE-9' })
  const seen: number[] = []
  store.onStatus(({ pending }) => { seen.push(pending) })
  await obra.logOut()
  t.strictSame(seen, [0])
  await obra.logIn(logIn.director)
  await until(() => seen.length === 2)
  t.strictSame(seen, [0, 1])
  await store.clear({ force: true })
})

t.test('another user does not see or send the edits of the previous one', async (t) => {
  const { store, obra, network } = await synced(t, server)
  const { id } = await store.contracts.create({ folio: 'USE-3' })
  const seen: number[] = []
  store.contracts.watch({ folio: 'USE-3' }, records => seen.push(records.length))
  await until(() => seen.length === 1)
  await obra.logIn(logIn.coordinador)
  t.strictSame([await store.contracts.list(), store.status.pending], [[], 0])
  await store.sync()
  t.strictSame([await store.contracts.list({ folio: 'USE-3' }), await store.contracts.get(id), store.status.pending], [[], undefined, 0])
  t.strictSame(network.sent.filter(({ path }) => path.includes('mutations')), [])
  t.strictSame(seen, [1, 0])
  await obra.logIn(logIn.director)
  t.equal((await store.contracts.get(id))?.folio, 'USE-3')
})

t.test('a log-in during a synchronization sends nothing as the new user', async (t) => {
  const { store, obra, network } = await synced(t, server)
  await store.contracts.create({ folio: 'USE-4' })
  let logsIn: Promise<void> | undefined
  network.answer = ({ url }) => {
    if (!url.includes('/mutations/')) return undefined
    logsIn ??= obra.logIn(logIn.coordinador)
    return busy()
  }
  const refused = store.sync()
  await t.rejects(refused)
  network.answer = undefined
  await logsIn
  const [row] = await server.psql("select count(*)::int as n from contracts where folio = 'USE-4'")
  t.equal(row?.['n'], 0)
  await store.sync()
  t.match(await store.contracts.list({ folio: 'USE-4' }), None)
})

t.test('with the tokens of an earlier session, a store starts without a connection', async (t) => {
  const storage = memoryStorage()
  const { data: tokens } = await (await phone(t, server)).obra.POST('/api/v1/api-token-auth/', { body: logIn.director })
  const first = await phone(t, server, { storage, tokens })
  await first.store.sync()
  const records = await first.store.contracts.list()
  const second = await phone(t, server, { storage, tokens })
  second.network.isOnline = false
  t.strictSame(await second.store.contracts.list(), records)
  t.strictSame(second.network.sent, [])
})

t.test('after the end of a session, the app reads and edits without a log-in, and a log-in sends the edits', async (t) => {
  const { data: tokens } = await (await phone(t, server)).obra.POST('/api/v1/api-token-auth/', { body: logIn.director })
  const storage = memoryStorage()
  const { store, obra, network } = await synced(t, server, { storage, tokens })
  const ended = { code: 'token_not_valid', detail: 'The session has ended.', messages: [] }
  network.answer = ({ url }) => url.includes('/api-token-auth/') ? undefined : Response.json(ended, { status: 401 })
  const { id } = await store.contracts.create({ folio: 'USE-FIN' })
  for (let attempt = 1; attempt <= 2; attempt++) await t.rejects(store.sync(), { status: 401, message: 'The session has ended.' })
  t.match(store.status, { pending: 1, error: 'The session has ended.' })
  t.match(await store.contracts.update(id, { monto: '5.00' }), { folio: 'USE-FIN', sync: 'pending' })

  const again = await phone(t, server, { storage, tokens })
  t.match(await again.store.contracts.get(id), { monto: '5.00', sync: 'pending' }, 'after a restart')
  await t.rejects(obra.logIn({ ...logIn.director, password: 'wrong' }), { code: 'no_active_account' })
  t.match(await store.contracts.get(id), { monto: '5.00', sync: 'pending' }, 'after a refused password')

  network.answer = undefined
  store.start()
  await obra.logIn(logIn.director)
  await until(async () => (await store.contracts.get(id))?.sync === 'synced' && store.status.error === undefined)
  t.match(await store.contracts.get(id), { monto: '5.00' })
  await store.stop()
})

t.test("actions of one user's conflicts and refused edits do not change another user's edits", async (t) => {
  const { store, obra } = await synced(t, server)
  await store.contracts.create({ folio: 'ON-2026-001' })
  await store.sync()
  const [refused] = store.refused
  await obra.logIn(logIn.coordinador)
  await store.sync()
  await store.contracts.create({ folio: 'USE-8' })
  await t.rejects(refused?.discard(), { code: 'not_authenticated' })
  t.equal(store.status.pending, 1)
})

t.test('a failed log-in leaves the previous user and session, and shows the records meanwhile', async (t) => {
  const { store, obra, network } = await synced(t, server)
  const { user } = obra
  const logsIn = obra.logIn({ ...logIn.coordinador, password: 'wrong' })
  t.not((await store.contracts.list()).length, 0)
  await t.rejects(logsIn, { code: 'no_active_account' })
  t.match(await obra.GET('/api/v1/me/'), { data: { email: logIn.director.email } })
  network.isOnline = false
  await t.rejects(obra.logIn(logIn.coordinador), TypeError)
  t.strictSame([obra.user, (await store.contracts.list()).length > 0], [user, true])
  network.isOnline = true
  t.match(await obra.GET('/api/v1/me/'), { data: { email: logIn.director.email } })
})

t.test('clear ends a synchronization, whose records do not come back', async (t) => {
  const { store, network } = await phone(t, server)
  let cleared: Promise<void> | undefined
  network.answer = ({ url }) => {
    if (url.includes('/changes/')) cleared ??= store.clear({ force: true })
    return undefined
  }
  await t.rejects(store.sync())
  await cleared
  t.strictSame([await store.contracts.list(), store.status.error], [[], undefined])
  await store.sync()
  t.not((await store.contracts.list()).length, 0)
})

t.test('clear deletes the records of the user from the device, in all companies, and unsent edits only by force', async (t) => {
  const storage = memoryStorage()
  const { store, obra } = await phone(t, server, { storage })
  const kept = async () => (await list(storage, 'store/')).map(([key, value]) => [key.split('/').at(-1), Object.keys(value as object)])
  await store.sync()
  await store.contracts.create({ folio: 'USE-6' })
  const { data: me } = await obra.GET('/api/v1/me/')
  await obra.PATCH('/api/v1/me/', { body: { company: me?.companies.find(({ id }) => id !== me.company)?.id } })
  await until(() => store.status.pending === 0)
  await t.rejects(store.clear(), { code: 'pending', message: '1 edit is not on the server.' })
  await obra.PATCH('/api/v1/me/', { body: { company: me?.company } })
  t.not((await store.contracts.list()).length, 0)
  await store.clear({ force: true })
  t.strictSame(await kept(), [['state', ['device', 'last']]], 'except the id of the device, in the company in which it has made edits')
  t.strictSame([await store.contracts.list(), store.status], [[], { ...store.status, pending: 0, lastSync: undefined }])
  await store.sync()
  t.not((await store.contracts.list()).length, 0)
  await store.clear()
  t.strictSame(await kept(), [['state', ['device', 'last']]], 'except the id of the device, in the company in which it has made edits')
})

t.test('a device stays the same one after clear', async (t) => {
  const { store, network } = await phone(t, server)
  const devices = new Set<string>()
  const ids = new Set<unknown>()
  for (const folio of ['USE-7', 'USE-8']) {
    await store.sync()
    await store.contracts.create({ folio })
    await store.sync()
    for (const { body } of network.sent) if (body?.mutations !== undefined) devices.add(body.device)
    for (const { id } of await store.contracts.list({ folio: 'USE-7' })) ids.add(id)
    await store.clear()
  }
  t.strictSame([devices.size, ids.size], [1, 1], 'records keep the ids that it has given them')
  t.equal((await server.psql("select from contracts where folio in ('USE-7', 'USE-8')")).length, 2)
})
