import type { Id } from 'obra/client/sync'

/** The field that identifies a record of each resource. It never changes. */
export const identities = { contrapartes: 'nombre', contracts: 'folio', estimates: 'external_id' } as const

/** A resource of the trial. The service can have others. */
export type Tried = keyof typeof identities

export function isTried (resource: string): resource is Tried {
  return Object.hasOwn(identities, resource)
}

/** A field of text that edits write, of each resource. */
export const texts = { contrapartes: 'notas', contracts: 'descripcion', estimates: 'descripcion' } as const

/** The text that names a record among all records of a company, also after a restore. */
export function identityOf (resource: Tried, record: Record<string, unknown>): string {
  return String(record[identities[resource]] ?? `${resource} ${String(record['id'])}`)
}

/** An edit that an app has made: a creation, a removal, or a new value of one field. */
export interface Edit {
  /** Position among all edits. */
  order: number
  phone: string
  company: number
  resource: Tried
  op: 'create' | 'update' | 'remove'
  /** Id of the record on the phone. */
  id: Id | undefined
  identity: string
  /** The field that it writes, and the value, which no other edit writes. */
  field: string
  token: string
  /** Whether the store has confirmed that it is kept. A crash can come before. */
  isKept: boolean
  /** Whether the app has given it up, by discarding it or by taking the server's value. */
  isGivenUp: boolean
  /** Whether the store has shown it as refused or in conflict. */
  wasReported: boolean
}

/** All edits of all phones. */
export class Ledger {
  readonly all: Edit[] = []
  readonly byToken = new Map<string, Edit>()
  #tokens = 0

  /** A text that no other edit has. */
  text (phone: string): string {
    return `${phone}-${++this.#tokens}`
  }

  /** An amount that no other edit has. */
  amount (): string {
    return `${900_000_000 + ++this.#tokens}.00`
  }

  add (edit: Omit<Edit, 'order' | 'isKept' | 'isGivenUp' | 'wasReported'>): Edit {
    const added = { ...edit, order: this.all.length, isKept: false, isGivenUp: false, wasReported: false }
    this.all.push(added)
    this.byToken.set(added.token, added)
    return added
  }

  /** The edits of one record by one phone. */
  of ({ phone, company, resource, id }: Pick<Edit, 'phone' | 'company' | 'resource' | 'id'>): Edit[] {
    return this.all.filter(edit => edit.phone === phone && edit.company === company && edit.resource === resource && edit.id === id)
  }

  /** The edits whose values a text contains. */
  in (text: string): Edit[] {
    return [...text.matchAll(/"(p\d+-\d+|9\d{8}\.00)"/g)].flatMap(([, token]) => this.byToken.get(token) ?? [])
  }
}
