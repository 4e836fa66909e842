import { pick } from '../../support/trial/random.ts'
import type { Client } from './client.ts'
import { OwnRecords } from './own-records.ts'
import { record } from './reader.ts'
import { Works } from './works.ts'
import type { Company, Own, Write } from './writer.ts'

/** Number of records after which a writer begins another contract. */
const mostRecords = 60

/** What the writes of a contract share. */
export interface WorksTools {
  records: OwnRecords
  random: () => number
  /** A text that no other record has. */
  mark: () => string
  /** A write on the present contract. @param work returns whether it was possible */
  on: (work: (works: Works) => Promise<boolean>) => Write
  /** A whole number from 1. */
  upTo: (most: number) => number
  /** A random element, if there is one. */
  some: <T>(all: readonly T[]) => T | undefined
}

/** Removes an element. */
export function without<T> (all: T[], one: T): void {
  all.splice(all.indexOf(one), 1)
}

/** Tools for writes in a contract that only this writer has. All of these writes must succeed. */
export function worksTools (company: Company, client: Client, own: Own): WorksTools {
  const { book, report } = company
  const { random } = client
  const records = new OwnRecords(company, client, own)
  let works: Works | undefined

  async function present (): Promise<Works> {
    if (works !== undefined && works.size < mostRecords) return works
    const done = book.create(1)
    const id = await records.create('contracts', folio => ({ folio, iva_porcentaje: '0' }), () => ({ monto: 0, moneda: 'MXN' }))
    report.found(done([{ id, folio: records.get('contracts', id).mark, monto: '0.00' }]))
    book.leaveOpen(id)
    works = new Works(id)
    return works
  }
  const on: WorksTools['on'] = work => async () => {
    const works = await present()
    if (!await work(works)) return undefined
    for (const [resource, id, columns] of works.derived()) records.note(resource, id, columns)
    return record(works.contract)
  }
  const upTo = (most: number) => 1 + Math.floor(random() * most)
  const some = <T>(all: readonly T[]) => all.length === 0 ? undefined : pick(all, random)
  return { records, random, mark: own.mark, on, upTo, some }
}
