/** @param part 0 to 1 */
export function percentile (times: number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1]
}
