import { randomUUID } from 'node:crypto'
import { pick } from '../../support/trial/random.ts'
import type { Client } from './client.ts'
import { OwnRecords } from './own-records.ts'
import { newest, record } from './reader.ts'
import type { Company, Own, Write } from './writer.ts'

/** The next state of an estimate. */
const next: Partial<Record<string, string>> = { borrador: 'enviada', enviada: 'autorizada', autorizada: 'pagada' }

/** Writes of estimates, counterparties and mutations. Estimates belong to a contract of this writer, which is never changed. */
export function otherWrites (company: Company, client: Client, own: Own): Record<string, Write> {
  const { book, report } = company
  const { living, mark } = own
  const records = new OwnRecords(company, client, own)
  const device = randomUUID()
  let edits = 0
  let main = 0
  const seen = () => main === 0 ? newest : record(main)
  const some = (resource: string) => records.ids(resource).length === 0 ? undefined : pick(records.ids(resource), client.random)

  return {
    async estimate () {
      if (main === 0) {
        const done = book.create(1)
        const folio = mark()
        const made = await client.create('contracts/', { folio, monto: '9000000000.00' }, folio)
        report.found(done([made]))
        main = made.id
      }
      await records.create('estimates', () => ({ contract: main, monto: '1.00' }), ({ numero, estado }) => ({ contract_id: main, numero, estado }))
      return seen()
    },
    async 'state of an estimate' () {
      const id = some('estimates')
      const estado = id === undefined ? undefined : next[records.get('estimates', id).fields['estado'] as string]
      if (id === undefined || estado === undefined) return undefined
      await records.change('estimates', id, { estado })
      return seen()
    },
    /** Only the last one can be deleted, and only a draft. */
    async 'delete of an estimate' () {
      const id = records.ids('estimates').at(-1)
      if (id === undefined || records.get('estimates', id).fields['estado'] !== 'borrador') return undefined
      await records.remove('estimates', id)
      return seen()
    },
    async counterparty () {
      await records.create('contrapartes', nombre => ({ nombre, notas: '' }), () => ({ notas: '' }))
      return seen()
    },
    async 'update of a counterparty' () {
      const id = some('contrapartes')
      if (id === undefined) return undefined
      await records.change('contrapartes', id, { notas: mark() })
      return seen()
    },
    async 'delete of a counterparty' () {
      const id = some('contrapartes')
      if (id === undefined || records.ids('contrapartes').length < 3) return undefined
      await records.remove('contrapartes', id)
      return seen()
    },
    /** Creates, changes and deletes records in one transaction. Repeats the request and a part of it, both at once. */
    async mutations () {
      const [kept, gone, nombre] = [mark(), mark(), mark()]
      const monto = `${book.next()}.00`
      const mutations = [
        { op: 'create', resource: 'contracts', ref: kept, body: { folio: kept } },
        { op: 'create', resource: 'contracts', ref: gone, body: { folio: gone } },
        { op: 'update', resource: 'contracts', record: { ref: kept }, base: { monto: '0.00' }, body: { monto } },
        { op: 'delete', resource: 'contracts', record: { ref: gone } },
        { op: 'create', resource: 'contrapartes', ref: nombre, body: { nombre, external_id: nombre } }
      ].map(mutation => ({ id: ++edits, ...mutation }))
      const done = book.create(1)
      const acknowledged = edits - mutations.length
      const send = async (count = mutations.length) => {
        const body = { device, acknowledged, mutations: mutations.slice(0, count) }
        const { answer } = await client.surely('POST', 'mutations/', { body, codes: [200] })
        return answer.body.results.map(({ replayed, ...result }: Record<string, unknown>) => result)
      }
      const results = await send()
      for (const again of await Promise.all([send(), send(3)])) {
        const [before, after] = [results.slice(0, again.length), again].map(some => JSON.stringify(some))
        if (before !== after) report.found(`mutations answered ${before} are answered ${after} again`)
      }
      const failed = results.find(({ status }: { status: number }) => status >= 300)
      if (failed !== undefined) throw new Error(`a mutation is answered ${JSON.stringify(failed)}`)
      const { id } = results[2].record
      report.found(done([{ id, folio: kept, monto }]))
      living.push(id)
      records.keep('contrapartes', results[4].record.id, nombre, { notas: '' })
      return record(id)
    }
  }
}
