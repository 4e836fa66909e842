/** The names in an object that has no others than its type says, such as a constant. */
export function namesIn<N extends string> (object: Record<N, unknown>): N[] {
  return Object.keys(object) as N[] // TypeScript allows further names in any object
}

/** An object with a value for each of some names. */
export function mapNames<N extends string, T> (names: readonly N[], valueOf: (name: N) => T): Record<N, T> {
  return Object.fromEntries(names.map(name => [name, valueOf(name)])) as Record<N, T> // the type of `fromEntries` has no names
}
