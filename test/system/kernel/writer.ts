import { pick, shuffled } from '../../support/trial/random.ts'
import { billingWrites } from './billing-writes.ts'
import type { Book, Raised } from './book.ts'
import { catalogueWrites } from './catalogue-writes.ts'
import type { Client } from './client.ts'
import type { Psql } from './psql.ts'
import { guardedWrites } from './guarded-writes.ts'
import { newest, prepared, record, type Read } from './reader.ts'
import { otherWrites } from './other-writes.ts'
import { count, type Report } from './report.ts'
import { settlementWrites } from './settlement-writes.ts'
import { worksTools } from './works-tools.ts'

/** What the actors of a company share. */
export interface Company {
  book: Book
  report: Report
  /** Ids and folios of the prepared contracts, in the order of `-folio`. */
  ids: number[]
  folios: string[]
  /** The contract whose amount is a counter, one of the prepared ones. */
  counter: number
  /** The counterparty that is renamed. */
  party: number
  /** Whether the servers know catalogues, change orders, measurements, payments, movements and programmes. */
  hasWorks: boolean
  /** Writes to the database without the service; undefined if the database can fail. */
  psql?: Psql
  /** Whether other writers change the same records. */
  isShared: boolean
}

/** What one writer has. */
export interface Own {
  number: number
  /** Prepared contracts that only this writer changes. */
  tracked: number[]
  /** Its other contracts, oldest first. */
  living: number[]
  /** A text that no other record has. */
  mark: () => string
}

/** A write. @returns what to read afterwards, or undefined if it was not possible */
export type Write = () => Promise<Read | undefined>

/** Most contracts that a writer keeps, besides the prepared ones. */
const mostLiving = 12
/** Number of writes of works in each round, in which every other kind has its turn. */
const worksPerRound = 9
/** An amount as the API has it. */
export const amount = (value: number) => `${value}.00`

/**
 * A writer of all kinds of writes, in random order. Each kind announces the write to the book, sends it until it is acknowledged,
 * and notes it.
 * @returns a function that does the next write, and returns what to read afterwards
 */
export function writer (company: Company, client: Client, own: Own): Write {
  const { report, hasWorks } = company
  const all = [contractWrites, guardedWrites, otherWrites, psqlWrites, ...hasWorks ? [settlementWrites] : []]
  const usual: Record<string, Write> = Object.assign({}, ...all.map(writes => writes(company, client, own)))
  const tools = worksTools(company, client, own)
  const works = hasWorks ? { ...catalogueWrites(tools), ...billingWrites(tools) } : {}
  const kinds = { ...usual, ...works }
  let queue: string[] = []
  const worksQueue: string[] = []
  return async () => {
    if (queue.length === 0) {
      if (worksQueue.length < worksPerRound) worksQueue.push(...shuffled(Object.keys(works), client.random))
      queue = shuffled([...Object.keys(usual), ...worksQueue.splice(0, worksPerRound)], client.random)
    }
    const kind = queue.pop() as string
    const read = await kinds[kind]?.()
    if (read !== undefined) count(report.writes, kind)
    return read
  }
}

function contractWrites (company: Company, client: Client, { number, tracked, living, mark }: Own): Record<string, Write> {
  const { book, report, ids, party, folios } = company
  const owned = () => pick([...tracked, ...living], client.random)
  const newContract = () => ({ folio: mark(), monto: amount(book.next()) })
  const seen = () => client.random() < 0.5 ? record(pick(tracked, client.random)) : prepared(ids)
  const kept = (contracts: Array<{ id: number, folio: string, monto: string }>, done: ReturnType<Book['create']>) => {
    report.found(done(contracts))
    living.push(...contracts.map(({ id }) => id))
    return client.random() < 0.5 ? newest : record(living.at(-1) as number)
  }
  const isFull = () => living.length >= mostLiving

  return {
    async update () {
      const id = owned()
      for (let times = client.random() < 0.2 ? 4 : 1; times > 0; times--) {
        const value = book.next()
        const done = book.raise([book.amountOf(id)], value)
        await client.surely('PATCH', `contracts/${id}/`, { body: { monto: amount(value) }, codes: [200] })
        done()
      }
      return record(id)
    },
    async 'bulk upsert' () {
      const value = book.next()
      const done = book.raise(tracked.map(id => book.amountOf(id)), value)
      const own = tracked.map(id => folios[ids.indexOf(id)])
      const items = own.map(folio => ({ folio, external_id: folio, monto: amount(value), contraparte: party }))
      const request = { body: { items, upsert: 'external_id' }, headers: { 'idempotency-key': mark() }, codes: [200, 201] }
      await client.surely('POST', 'contracts/bulk/', request)
      done()
      return seen()
    },
    async 'update of the counterparty' () {
      if (number > 0) return undefined
      const value = book.next()
      const done = book.raise([book.party], value)
      await client.surely('PATCH', `contrapartes/${party}/`, { body: { nombre: book.partyName(value) }, codes: [200] })
      done()
      return seen()
    },
    async create () {
      if (isFull()) return undefined
      const done = book.create(1)
      const body = newContract()
      const made = await client.create('contracts/', body, body.folio)
      const { answer } = await client.surely('POST', 'contracts/', { body, headers: { 'idempotency-key': body.folio }, codes: [201] })
      const isSame = answer.isReplayed && answer.body.id === made.id
      if (!isSame) report.found(`the repeated create of contract ${made.id} is answered ${answer.text}`)
      return kept([made], done)
    },
    async 'bulk create' () {
      if (isFull()) return undefined
      const items = Array.from({ length: 2 + Math.floor(client.random() * 4) }, newContract)
      const done = book.create(items.length)
      return kept((await client.create('contracts/bulk/', { items }, mark())).results, done)
    },
    /** After a lost answer it looks for the contract before it repeats. */
    async 'create without a key' () {
      if (isFull()) return undefined
      const done = book.create(1)
      const body = newContract()
      for (let tries = 1; ; tries++) {
        const answer = await client.once('POST', 'contracts/', { body })
        if (answer?.status === 201) return kept([answer.body], done)
        const isTaken = answer?.status === 400 && tries > 1
        if (answer !== undefined && !isTaken) throw new Error(`a create of ${body.folio} is answered ${answer.status} ${answer.text}`)
        const looked = await client.surely('GET', `contracts/?folio=${body.folio}`, { codes: [200] })
        if (looked.answer.body.count === 1) return kept(looked.answer.body.results, done)
      }
    },
    async delete () {
      const id = living.shift()
      if (id === undefined) return undefined
      const done = book.remove(id)
      const { answer, tries } = await client.surely('DELETE', `contracts/${id}/`, { codes: [204, 404] })
      if (answer.status === 404 && tries === 1) report.found(`contract ${id} was acknowledged but is gone`)
      done()
      return client.random() < 0.5 ? newest : record(id)
    }
  }
}

function psqlWrites ({ book, ids, psql }: Company, _client: Client, { tracked, living }: Own): Record<string, Write> {
  if (psql === undefined) return {}
  return {
    async 'psql update' () {
      const value = book.next()
      const done = book.raise(tracked.map((id): Raised => book.amountOf(id)), value)
      await psql('update contracts set monto = $1 where id = any($2::int[])', [amount(value), tracked])
      done()
      return prepared(ids)
    },
    async 'psql delete' () {
      const id = living.shift()
      if (id === undefined) return undefined
      const done = book.remove(id)
      await psql('delete from contracts where id = $1', [id])
      done()
      return newest
    }
  }
}
