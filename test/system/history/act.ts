/** What is asked of a server. */
export interface Asked {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `/api/v1/`, with its query. */
  path: string
  body?: any
  ifMatch?: string
  ifNoneMatch?: string
  /** The Idempotency-Key. */
  key?: string
}

/** A request and its answer. */
export interface Act extends Asked {
  /** Who asked, by number. */
  actor: number
  /** Which server was asked, by number. */
  server: number
  /** When it was sent and when its answer was there, by one clock that counts what happens: 1, 2, 3 … */
  sent: number
  answered: number
  status: number
  etag: string | undefined
  /** Whether the answer says that it was given before. */
  replayed: boolean
  /** The body, read; undefined without one. */
  answer: any
}

/** The resources that histories are about. */
export const resources = ['contracts', 'estimates'] as const
/** The name of one of them, as it stands in addresses. */
export type ResourceName = typeof resources[number]

/** A line of the change log. */
export interface Change {
  revision: number
  resource: ResourceName
  id: number
  operation: 'insert' | 'update' | 'delete'
}

/** All that was done in a company from its beginning, and what is there at the end. */
export interface History {
  seed: number
  company: number
  acts: Act[]
  /** By revision. */
  log: Change[]
  /** Each resource's rows, with the names that answers have for columns, and amounts as numbers. */
  rows: Record<ResourceName, any[]>
}

/** An ETag's company, revision and version. */
export function readTag (etag: string | undefined): { company: number, revision: number, version: number } {
  const [, company, revision, version] = /^"(\d+)\.(\d+)\.[\w-]+\.(\d*)"$/.exec(etag ?? '') ?? []
  return { company: Number(company), revision: Number(revision), version: Number(version) }
}

/** An act in a line. */
export function told ({ actor, server, sent, answered, method, path, body, ifMatch, ifNoneMatch, key, status, etag, replayed }: Act): string {
  const conditions = Object.entries({ 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch, 'Idempotency-Key': key }).filter(([, value]) => value !== undefined)
  const request = [method, path, ...conditions.map(entry => entry.join(': ')), ...body === undefined ? [] : [JSON.stringify(body)]].join(' ')
  return `[${sent}–${answered} actor ${actor}, server ${server}] ${request} → ${status} ${replayed ? 'replayed' : etag ?? ''}`
}
