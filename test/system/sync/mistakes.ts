import type { Id, Store } from 'obra/client/sync'
import type { Tried } from './ledger.ts'

type Body = Record<string, unknown>

/** What a user does. Numbers choose among the records that are possible. `isWrong`: with a value that the service refuses, and the user corrects later. */
export type Act =
  | { act: 'create', resource: Tried, of: number, isWrong: boolean }
  | { act: 'update', resource: Tried, which: number, field: string, value: unknown, isWrong: boolean }
  | { act: 'send', which: number }
  | { act: 'correct', which: number }
  | { act: 'synchronize' }

/** A record as the user wants it. */
interface Wanted {
  resource: Tried
  id: Id
  values: Body
  /** Fields that have a wrong value in the store. */
  wrong: Set<string>
  isSent: boolean
}

const wrongValues: Record<string, string> = { nombre: '', folio: '', monto: '-1' }

/** A user who makes mistakes, and the records that must be there when all of them are corrected. */
export class Mistaken {
  readonly #prefix: string
  readonly #records: Wanted[] = []

  /** @param prefix of the names */
  constructor (prefix: string) {
    this.#prefix = prefix
  }

  /** Makes an edit in the store, if it is possible. */
  async take (act: Exclude<Act, { act: 'synchronize' }>, store: Store): Promise<void> {
    switch (act.act) {
      case 'create': return await this.#create(act, store)
      case 'update': return await this.#update(act, store)
      case 'send': {
        const record = this.#pick('estimates', act.which, ({ wrong }) => wrong.size === 0)
        if (record === undefined) return
        Object.assign(record, { isSent: true }).values['estado'] = 'enviada'
        await store.estimates.update(record.id, { estado: 'enviada' })
        return
      }
      case 'correct': {
        const wrong = this.#records.filter(({ wrong }) => wrong.size > 0)
        const record = wrong[act.which % wrong.length]
        if (record !== undefined) await this.#correct(record, store)
      }
    }
  }

  /** Corrects all mistakes. */
  async correctAll (store: Store): Promise<void> {
    for (const record of this.#records.filter(({ wrong }) => wrong.size > 0)) await this.#correct(record, store)
  }

  /** The records of a resource with these fields, with names instead of ids. */
  wanted (resource: Tried, fields: string[]): Body[] {
    const named = (value: unknown) => this.#records.find(({ id }) => id === value)
    return this.#records.filter(record => record.resource === resource).map(({ values }) => Object.fromEntries(fields.map((field) => {
      const other = named(values[field])?.values
      return [field, other?.['nombre'] ?? other?.['folio'] ?? values[field]]
    })))
  }

  async #create ({ resource, of, isWrong }: Extract<Act, { act: 'create' }>, store: Store): Promise<void> {
    const name = `${this.#prefix}${this.#records.length}`
    const contract = this.#pick('contracts', of)?.id
    if (resource === 'estimates' && contract === undefined) return
    const values: Body = {
      contrapartes: { nombre: name, notas: '' },
      contracts: { folio: name, monto: '100.00', descripcion: '', contraparte: this.#pick('contrapartes', of)?.id ?? null },
      estimates: { contract, monto: '1.00', descripcion: name }
    }[resource]
    const field = { contrapartes: 'nombre', contracts: 'folio', estimates: 'monto' }[resource]
    const { id } = await store[resource].create({ ...values, ...isWrong && { [field]: wrongValues[field] } } as never)
    this.#records.push({ resource, id, values: { ...values, estado: 'borrador' }, wrong: new Set(isWrong ? [field] : []), isSent: false })
  }

  async #update ({ resource, which, field, value, isWrong }: Extract<Act, { act: 'update' }>, store: Store): Promise<void> {
    const record = this.#pick(resource, which)
    const wanted = field === 'contraparte' ? this.#pick('contrapartes', Number(value))?.id ?? null : value
    if (record === undefined) return
    record.values[field] = wanted
    const isRefused = isWrong && field in wrongValues
    if (isRefused) record.wrong.add(field)
    else record.wrong.delete(field)
    await store[resource].update(record.id, { [field]: isRefused ? wrongValues[field] : wanted })
  }

  async #correct ({ resource, id, values, wrong }: Wanted, store: Store): Promise<void> {
    const body = Object.fromEntries([...wrong].map(field => [field, values[field]]))
    wrong.clear()
    await store[resource].update(id, body)
  }

  #pick (resource: Tried, which: number, isPossible: (record: Wanted) => boolean = () => true): Wanted | undefined {
    const some = this.#records.filter(record => record.resource === resource && !record.isSent && isPossible(record))
    return some[which % Math.max(1, some.length)]
  }
}
