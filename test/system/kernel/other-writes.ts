import { randomUUID } from 'node:crypto'
import { pick } from '../../../src/trial/random.ts'
import type { Contract, Other, OtherResource } from './book.ts'
import type { Client } from './client.ts'
import { newest, record } from './reader.ts'
import type { Company, Own, Write } from './writer.ts'

/** The next state of an estimate. */
const next: Partial<Record<string, string>> = { borrador: 'enviada', enviada: 'autorizada', autorizada: 'pagada' }

/** Writes of estimates, counterparties and mutations. Estimates belong to a contract of this writer, which is never changed. */
export function otherWrites ({ book, report }: Company, client: Client, { living, mark }: Own): Record<string, Write> {
  const device = randomUUID()
  let edits = 0
  let main = 0
  const own: Record<OtherResource, number[]> = { estimates: [], contrapartes: [] }
  const seen = () => main === 0 ? newest : record(main)
  const some = (resource: OtherResource) => own[resource].length === 0 ? undefined : pick(own[resource], client.random)
  const other = (resource: OtherResource, id: number) => book.others[resource].get(id) as Other

  function keep (resource: OtherResource, { id, nombre, descripcion, notas, contract, numero, estado }: Record<string, any>): void {
    own[resource].push(id)
    const fault = resource === 'estimates'
      ? book.keep(resource, id, descripcion, { contract, numero, estado })
      : book.keep(resource, id, nombre, { notas })
    report.found(fault)
  }

  /** Changes a field of its record. */
  async function change (resource: OtherResource, id: number, fields: Record<string, unknown>): Promise<void> {
    await client.surely('PATCH', `${resource}/${id}/`, { body: fields, codes: [200] })
    Object.assign(other(resource, id).fields, fields)
  }

  async function remove (resource: OtherResource, id: number): Promise<void> {
    other(resource, id).isLeaving = true
    const { answer, tries } = await client.surely('DELETE', `${resource}/${id}/`, { codes: [204, 404] })
    if (answer.status === 404 && tries === 1) report.found(`${resource} ${id} was acknowledged but is gone`)
    book.others[resource].delete(id)
    own[resource].splice(own[resource].indexOf(id), 1)
  }

  return {
    async estimate () {
      if (main === 0) {
        const done = book.create(1)
        const folio = mark()
        const made: Contract & { id: number, monto: string } = await client.create('contracts/', { folio, monto: '9000000000.00' }, folio)
        report.found(done([made]))
        main = made.id
      }
      const descripcion = mark()
      keep('estimates', await client.create('estimates/', { contract: main, descripcion, monto: '1.00' }, descripcion))
      return seen()
    },
    async 'state of an estimate' () {
      const id = some('estimates')
      const estado = id === undefined ? undefined : next[other('estimates', id).fields['estado'] as string]
      if (id === undefined || estado === undefined) return undefined
      await change('estimates', id, { estado })
      return seen()
    },
    /** Only the last one can be deleted, and only a draft. */
    async 'delete of an estimate' () {
      const id = own.estimates.at(-1)
      if (id === undefined || other('estimates', id).fields['estado'] !== 'borrador') return undefined
      await remove('estimates', id)
      return seen()
    },
    async counterparty () {
      const nombre = mark()
      keep('contrapartes', await client.create('contrapartes/', { nombre, notas: '' }, nombre))
      return seen()
    },
    async 'update of a counterparty' () {
      const id = some('contrapartes')
      if (id === undefined) return undefined
      await change('contrapartes', id, { notas: mark() })
      return seen()
    },
    async 'delete of a counterparty' () {
      const id = some('contrapartes')
      if (id === undefined || own.contrapartes.length < 3) return undefined
      await remove('contrapartes', id)
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
        { op: 'create', resource: 'contrapartes', ref: nombre, body: { nombre } }
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
      keep('contrapartes', { ...results[4].record, nombre, notas: '' })
      return record(id)
    }
  }
}
