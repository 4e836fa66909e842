/** A request of a history. */
export interface HistoryRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `/api/v1/`, with the query. */
  path: string
  body?: any
  ifMatch?: string
  ifNoneMatch?: string
  /** The Idempotency-Key. */
  key?: string
}

/** A request and its answer. */
export interface Act extends HistoryRequest {
  /** The number of the actor that sent it. */
  actor: number
  /** The number of the server that received it. */
  server: number
  /** When it was sent and answered, on one logical clock: 1, 2, 3 … */
  sent: number
  answered: number
  status: number
  etag: string | undefined
  /** Whether the answer was replayed for its Idempotency-Key. */
  replayed: boolean
  /** The parsed body; undefined if there is none. */
  answer: any
}

/** The resources of histories. */
export const resources = ['contracts', 'estimates', 'conceptos', 'convenios', 'generadores', 'pagos', 'movimientos', 'programa'] as const
/** The name of a resource, as in paths. */
export type ResourceName = typeof resources[number]

/** An entry of the change log. */
export interface Change {
  revision: number
  resource: ResourceName
  id: number
  operation: 'insert' | 'update' | 'delete'
}

/** All acts in a company since its creation, and its final rows. */
export interface History {
  seed: number
  company: number
  acts: Act[]
  /** The change log, in the order of revisions. */
  log: Change[]
  /** The rows of each resource, with columns named as in answers and amounts as numbers. */
  rows: Record<ResourceName, any[]>
}

/** Parses company, revision and version of an ETag. */
export function readTag (etag: string | undefined): { company: number, revision: number, version: number } {
  const [, company, revision, version] = /^"(\d+)\.(\d+)\.\w+\.[\w-]+\.(?:(\d+)\.\w+)?"$/.exec(etag ?? '') ?? []
  return { company: Number(company), revision: Number(revision), version: Number(version ?? '') }
}

/** One line that describes an act. */
export function describe ({ actor, server, sent, answered, method, path, body, ifMatch, ifNoneMatch, key, status, etag, replayed }: Act): string {
  const conditions = Object.entries({ 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch, 'Idempotency-Key': key }).filter(([, value]) => value !== undefined)
  const request = [method, path, ...conditions.map(entry => entry.join(': ')), ...body === undefined ? [] : [JSON.stringify(body)]].join(' ')
  return `[${sent}–${answered} actor ${actor}, server ${server}] ${request} → ${status} ${replayed ? 'replayed' : etag ?? ''}`
}
