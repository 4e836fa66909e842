import { pick } from '../../support/trial/random.ts'
import type { Client } from './client.ts'
import { record } from './reader.ts'
import { amount, type Company, type Own, type Write } from './writer.ts'

/** Most ETags that are kept for a write under an old one. */
const mostKept = 200

/** Writes under If-Match. */
export function guardedWrites (company: Company, client: Client, { tracked, living }: Own): Record<string, Write> {
  const { book, report, ids, counter, isShared } = company
  const kept: Array<{ id: number, value: number, etag: string }> = []
  const get = async (id: number) => {
    const { answer: { body, headers } } = await client.surely('GET', `contracts/${id}/`, { codes: [200] })
    return { id, value: Number(body.monto), etag: headers.etag as string }
  }
  return {
    async 'update under If-Match' () {
      const id = pick([...tracked, ...living], client.random)
      const { etag } = await get(id)
      const value = book.next()
      const done = book.raise([book.amountOf(id)], value)
      const request = { body: { monto: amount(value) }, headers: { 'if-match': etag }, codes: [200, 412] }
      const { answer, tries } = await client.surely('PATCH', `contracts/${id}/`, request)
      // If no other writer changes this contract, another version can only come from an attempt whose answer was lost.
      if (answer.status === 412 && tries === 1 && !isShared) report.found(`412 for contract ${id}, which no other writer changes`)
      if (answer.status === 200 || (tries > 1 && !isShared)) done()
      return record(id)
    },
    /** All writers increment the counter. */
    async increment () {
      const { value, etag } = await get(counter)
      const done = book.raise([book.amountOf(counter)], value + 1)
      const request = { body: { monto: amount(value + 1) }, headers: { 'if-match': etag } }
      const answer = await client.once('PATCH', `contracts/${counter}/`, request)
      if (answer?.status === 200) {
        report.found(book.increment(value))
        done()
      }
      return record(counter)
    },
    /** Sends an ETag after a later write was acknowledged. None may be accepted, also after a failover. */
    async 'write under an old ETag' () {
      const own = pick(tracked, client.random)
      kept.push(await get(own), await get(pick(ids, client.random)))
      kept.splice(0, kept.length - mostKept)
      const next = book.next()
      const done = book.raise([book.amountOf(own)], next)
      await client.surely('PATCH', `contracts/${own}/`, { body: { monto: amount(next) }, codes: [200] })
      done()
      const late = kept.filter(({ id, value }) => value < book.amountOf(id).floor)
      const { id, value, etag } = pick(late, client.random)
      const answer = await client.once('PATCH', `contracts/${id}/`, { body: { descripcion: 'late' }, headers: { 'if-match': etag } })
      if (answer?.status === 200) report.found(`If-Match accepted ${etag} of contract ${id} with ${value}, after a later amount`)
      return record(id)
    }
  }
}
