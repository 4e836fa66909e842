import t from 'tap'
import { listen } from '../server.ts'
import { synced } from './phone.ts'

const server = await listen(t)

t.test('a store with change orders makes and signs them, and shows what a signature changes', async (t) => {
  const { store, network } = await synced(t, server, { resources: ['convenios'] })
  t.match(await store.convenios.list({ estado: 'borrador' }), [{ folio: 'ON-2026-002-CM-3', monto: '-640000.00', sync: 'synced' }])

  network.isOnline = false
  const contract = await store.contracts.create({ folio: 'NAM-1', monto: '1000', fecha_fin: '2026-12-31' })
  const { id } = await store.convenios.create({ contract: contract.id, monto: '80', dias: 5 })
  await store.convenios.update(id, { estado: 'enviado' })
  t.match(await store.convenios.get(id), { contract: contract.id, numero: undefined, estado: 'enviado', sync: 'pending' })
  network.isOnline = true
  await store.sync()
  t.match(await store.convenios.get(id), { contract: contract.id, numero: 1, monto: '80.00', estado: 'enviado', sync: 'synced' })
  t.match(store.status, { pending: 0, refused: 0, error: undefined })

  await store.convenios.update(id, { estado: 'autorizado', fecha_autorizacion: '2026-04-20' })
  await store.convenios.update(id, { estado: 'firmado', fecha_firma: '2026-05-04' })
  await store.sync()
  t.match([await store.convenios.get(id), await store.contracts.get(contract.id)], [{ estado: 'firmado', sync: 'synced' }, { monto: '1080.00', fecha_fin: '2027-01-05', sync: 'synced' }])
  const { store: other } = await synced(t, server, { resources: ['convenios'] })
  t.equal((await other.convenios.list()).length, (await store.convenios.list()).length)
})
