import type { BatchQuery } from '../../database/turns.ts'
import type { Readable } from './resource.ts'

/** Makes a query of each resource once: the text of one that is prepared by name must never change. */
export function perResource<R extends Readable> (make: (resource: R) => BatchQuery): (resource: R) => BatchQuery {
  const made = new WeakMap<R, BatchQuery>()
  return (resource) => {
    let query = made.get(resource)
    if (query === undefined) made.set(resource, query = make(resource))
    return query
  }
}
