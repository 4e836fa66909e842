/** Returns the next number, from 0 to less than 1. */
export type Random = () => number

/** Pseudo-random numbers (mulberry32). The same seed gives the same sequence, so that runs can be repeated. */
export function randomFrom (seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A random element of a list that is not empty. */
export function pick<T> (list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]
}

/** The list in random order. */
export function shuffled<T> (list: readonly T[], random: Random): T[] {
  const result = [...list]
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[result[last], result[other]] = [result[other], result[last]]
  }
  return result
}
