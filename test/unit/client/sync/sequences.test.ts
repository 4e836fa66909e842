import t from 'tap'
import type { Store } from 'obra/client/sync'
import { None } from '../../../support/none.ts'
import { listen } from '../server.ts'
import { given } from './given.ts'
import { synced } from './phone.ts'

const server = await listen(t)
const { store: other } = await synced(t, server)

/** Sequences of edits that the server accepts one by one. Each returns the records that it must lead to. */
const sequences: Record<string, (store: Store) => Promise<() => Promise<unknown[]>>> = {
  'create an estimate and send it': async (store) => {
    const [contract] = await given(store, { folio: 'HIS-1' })
    const { id } = await store.estimates.create({ contract, monto: '10' })
    await store.estimates.update(id, { estado: 'enviada' })
    return async () => [[await store.estimates.get(id)], [{ estado: 'enviada', monto: '10.00', version: 2 }]]
  },
  'send an estimate and authorize it': async (store) => {
    const [contract] = await given(store, { folio: 'HIS-2', monto: '100' })
    const { id } = await store.estimates.create({ contract, monto: '10' })
    await store.sync()
    for (const estado of ['enviada', 'autorizada', 'pagada'] as const) await store.estimates.update(id, { estado })
    return async () => [[await store.estimates.get(id)], [{ estado: 'pagada', version: 4 }]]
  },
  'reopen an estimate, correct it and send it again': async (store) => {
    const [contract] = await given(store, { folio: 'HIS-3' })
    const { id } = await store.estimates.create({ contract, monto: '10' })
    await store.estimates.update(id, { estado: 'enviada' })
    await store.sync()
    await store.estimates.update(id, { estado: 'borrador' })
    await store.estimates.update(id, { monto: '12' })
    await store.estimates.update(id, { estado: 'enviada' })
    return async () => [[await store.estimates.get(id)], [{ estado: 'enviada', monto: '12.00', version: 5 }]]
  },
  'swap two names': async (store) => {
    const [one, two] = await given(store, { folio: 'HIS-4-A' }, { folio: 'HIS-4-B' })
    await store.contracts.update(one, { folio: 'HIS-4-X' })
    await store.contracts.update(two, { folio: 'HIS-4-A' })
    await store.contracts.update(one, { folio: 'HIS-4-B' })
    return async () => [[await store.contracts.get(one), await store.contracts.get(two)], [{ folio: 'HIS-4-B' }, { folio: 'HIS-4-A' }]]
  },
  'move the boundary between two periods': async (store) => {
    const [contract] = await given(store, { folio: 'HIS-5' })
    const first = await store.estimates.create({ contract, periodo_inicio: '2026-01-01', periodo_fin: '2026-01-15' })
    const second = await store.estimates.create({ contract, periodo_inicio: '2026-01-16', periodo_fin: '2026-01-31' })
    await store.sync()
    await store.estimates.update(first.id, { descripcion: 'enero' })
    await store.estimates.update(second.id, { periodo_inicio: '2026-01-21' })
    await store.estimates.update(first.id, { periodo_fin: '2026-01-20' })
    return async () => [[await store.estimates.get(first.id), await store.estimates.get(second.id)], [{ periodo_fin: '2026-01-20', descripcion: 'enero' }, { periodo_inicio: '2026-01-21' }]]
  },
  'swap parent and child': async (store) => {
    const [one, two] = await given(store, { folio: 'HIS-6-A' }, { folio: 'HIS-6-B' })
    await store.contracts.update(two, { parent: one })
    await store.sync()
    await store.contracts.update(one, { descripcion: 'sub' })
    await store.contracts.update(two, { parent: null })
    await store.contracts.update(one, { parent: two })
    return async () => [[await store.contracts.get(one), await store.contracts.get(two)], [{ parent: two, descripcion: 'sub' }, { parent: null }]]
  },
  'raise an amount, bill it and close the contract': async (store) => {
    const [contract] = await given(store, { folio: 'HIS-7', monto: '10' })
    await store.contracts.update(contract, { monto: '100' })
    const { id } = await store.estimates.create({ contract, monto: '50' })
    await store.estimates.update(id, { estado: 'enviada' })
    await store.estimates.update(id, { estado: 'autorizada' })
    await store.contracts.update(contract, { estado: 'terminado' })
    return async () => [[await store.contracts.get(contract), await store.estimates.get(id)], [{ estado: 'terminado', monto: '100.00' }, { estado: 'autorizada' }]]
  },
  'move a subcontract away and remove both contracts': async (store) => {
    const [main, sub] = await given(store, { folio: 'HIS-8-A' }, { folio: 'HIS-8-B' })
    await store.contracts.update(sub, { parent: main })
    await store.sync()
    await store.contracts.update(sub, { parent: null })
    await store.contracts.remove(main)
    await store.contracts.remove(sub)
    return async () => [await other.contracts.list(({ folio }) => folio.startsWith('HIS-8')), None]
  }
}

for (const [name, edit] of Object.entries(sequences)) {
  t.test(`edits made without a connection are sent in their order: ${name}`, async (t) => {
    const { store } = await synced(t, server)
    const result = await edit(store)
    await store.sync()
    await other.sync()
    t.match([store.refused, store.conflicts, store.status], [None, None, { pending: 0, waiting: 0 }])
    const [found, wanted] = await result()
    t.match(found, wanted)
  })
}
