/** @param part 0 to 1 */
export function percentile (times: number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1]
}

/** The median: the mean of the two in the middle, if their number is even. */
export function median (numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  return (sorted[Math.ceil(half) - 1] + sorted[Math.floor(half)]) / 2
}
