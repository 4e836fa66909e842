import type { Other } from './book.ts'
import type { Client } from './client.ts'
import type { Company, Own } from './writer.ts'

type Fields = Record<string, unknown>

/** The records of one writer, by resource. No other writer changes them, so the book knows their exact columns. */
export class OwnRecords {
  readonly #company: Pick<Company, 'book' | 'report'>
  readonly #client: Client
  readonly #mark: Own['mark']
  readonly #ids = new Map<string, number[]>()

  constructor ({ book, report }: Company, client: Client, { mark }: Own) {
    this.#company = { book, report }
    this.#client = client
    this.#mark = mark
  }

  ids (resource: string): readonly number[] {
    return this.#ids.get(resource) ?? []
  }

  get (resource: string, id: number): Other {
    return this.#company.book.others[resource].get(id) as Other
  }

  /** Records an acknowledged record. @param fields its known columns */
  keep (resource: string, id: number, mark: string, fields: Fields): number {
    this.#ids.set(resource, [...this.ids(resource), id])
    this.#company.report.found(this.#company.book.keep(resource, id, mark, fields))
    return id
  }

  /** Notes columns of a record that follow from other writes. */
  note (resource: string, id: number, fields: Fields): void {
    Object.assign(this.get(resource, id).fields, fields)
  }

  /** Creates a record. @param body gets the text that marks it @param fields its known columns */
  async create (resource: string, body: (mark: string) => Fields, fields: (made: any) => Fields): Promise<number> {
    const mark = this.#mark()
    const made = await this.#client.create(`${resource}/`, { ...body(mark), external_id: mark }, mark)
    return this.keep(resource, made.id, mark, fields(made))
  }

  /** Creates records in one request. @param fields known columns of each @returns their ids, in order */
  async createAll (resource: string, bodies: Fields[], fields: (index: number) => Fields): Promise<number[]> {
    const marks = bodies.map(() => this.#mark())
    const items = bodies.map((body, index) => ({ ...body, external_id: marks[index] }))
    const { results } = await this.#client.create(`${resource}/bulk/`, { items }, this.#mark())
    return results.map(({ id }: { id: number }, index: number) => this.keep(resource, id, marks[index], fields(index)))
  }

  /** Changes a record. @param columns its known columns afterwards, if they are not the fields of the body */
  async change (resource: string, id: number, body: Fields, columns = body): Promise<void> {
    await this.#client.surely('PATCH', `${resource}/${id}/`, { body, codes: [200] })
    this.note(resource, id, columns)
  }

  /** Deletes a record, and with it records that refer to it. */
  async remove (resource: string, id: number, others: Array<[resource: string, id: number]> = []): Promise<void> {
    const { book, report } = this.#company
    const gone: typeof others = [[resource, id], ...others]
    for (const [resource, id] of gone) this.get(resource, id).isLeaving = true
    const { answer, tries } = await this.#client.surely('DELETE', `${resource}/${id}/`, { codes: [204, 404] })
    if (answer.status === 404 && tries === 1) report.found(`${resource} ${id} was acknowledged but is gone`)
    for (const [resource, id] of gone) {
      book.others[resource].delete(id)
      this.#ids.set(resource, this.ids(resource).filter(other => other !== id))
    }
  }
}
