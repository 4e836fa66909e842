/** A change in a delivery. */
export interface Item {
  type: string
  timestamp: string
  company: number
  revision: number
  resource: string
  id: number
  record?: Record<string, unknown>
}

/** The changes of a delivery. A ping has none. @throws {Error} if the body has another form */
export function parsed (body: string): Item[] {
  const { type, timestamp, data } = JSON.parse(body)
  if (type === 'ping') return []
  if (type !== 'changes') return [{ type, timestamp, ...data }]
  if (!Array.isArray(data) || data.length === 0) throw new Error('no changes')
  return data
}

/** Whether a delivery is a list. */
export function isList (body: string): boolean {
  return JSON.parse(body).type === 'changes'
}

/** Below 0 if the first position in the log is before the second, 0 if they are the same. */
export function compared (one: Pick<Item, 'revision' | 'resource' | 'id'>, other: Pick<Item, 'revision' | 'resource' | 'id'>): number {
  if (one.revision !== other.revision) return one.revision - other.revision
  if (one.resource !== other.resource) return one.resource < other.resource ? -1 : 1
  return one.id - other.id
}

/** Names a record in its company. */
export function recordOf ({ resource, id }: Pick<Item, 'resource' | 'id'>): string {
  return `${resource} ${id}`
}
