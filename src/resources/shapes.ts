import type { Shape } from '../database/turns.ts'
import type { Readable } from './declaration/resource.ts'

/** Makes a shape of each resource once: the text of one that is prepared by name must never change. */
export function perResource<R extends Readable> (make: (resource: R) => Shape): (resource: R) => Shape {
  const made = new WeakMap<R, Shape>()
  return (resource) => {
    let shape = made.get(resource)
    if (shape === undefined) made.set(resource, shape = make(resource))
    return shape
  }
}
