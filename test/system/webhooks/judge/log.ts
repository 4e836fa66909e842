import { recordOf, type Item } from '../items.ts'
import type { Entry, Truth } from '../watch.ts'

/** The change log, by company and record. */
export class Log {
  readonly truth: Truth
  readonly #byRecord = new Map<number, Map<string, Entry[]>>()

  constructor (truth: Truth) {
    this.truth = truth
    for (const entry of truth.log) {
      const company = this.#byRecord.get(entry.company) ?? new Map<string, Entry[]>()
      this.#byRecord.set(entry.company, company)
      company.set(recordOf(entry), [...company.get(recordOf(entry)) ?? [], entry])
    }
  }

  /** The changes of each record of a company, in order. */
  changes (company: number): Map<string, Entry[]> {
    return this.#byRecord.get(company) ?? new Map<string, Entry[]>()
  }

  entry (company: number, item: Item): Entry | undefined {
    return this.changes(company).get(recordOf(item))?.find(({ revision }) => revision === item.revision)
  }

  /** The revision that created a record. */
  creation (company: number, record: string): number {
    const [first] = this.changes(company).get(record) ?? []
    return first?.operation === 'insert' ? first.revision : 0
  }

  /** The version of a record at the revision of a change. */
  versionAt (company: number, item: Item): number {
    return this.changes(company).get(recordOf(item))?.filter(({ revision }) => revision <= item.revision).length ?? 0
  }
}
