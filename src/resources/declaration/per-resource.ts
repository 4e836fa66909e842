import type { BatchQuery } from '../../database/turns.ts'
import type { Readable } from './resource.ts'

/** Creates the query of a resource only once, because a prepared statement must always have the same text. */
export function perResource<R extends Readable> (make: (resource: R) => BatchQuery): (resource: R) => BatchQuery {
  const made = new WeakMap<R, BatchQuery>()
  return (resource) => {
    let query = made.get(resource)
    if (query === undefined) made.set(resource, query = make(resource))
    return query
  }
}
