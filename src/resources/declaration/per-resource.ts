/** Makes something for a resource only once. A prepared statement, for example, must always have the same text. */
export function perResource<R extends object, T> (make: (resource: R) => T): (resource: R) => T {
  const made = new WeakMap<R, T>()
  return (resource) => {
    let one = made.get(resource)
    if (one === undefined) made.set(resource, one = make(resource))
    return one
  }
}
