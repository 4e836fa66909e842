import type { Pause } from '../../http/slices.ts'

/** Items that are worked on in one go, for a few milliseconds. */
const partSize = 500

/**
 * Works on many items. Other requests run between parts of {@link partSize} items. The items of a part share their statements.
 * @returns the results in the order of the items
 */
export async function inParts<Item, Result> (
  pause: Pause, items: readonly Item[], work: (item: Item, index: number) => Result | Promise<Result>
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += partSize) {
    if (start > 0) await pause()
    const part = items.slice(start, start + partSize)
    results.push(...await Promise.all(part.map((item, place) => work(item, start + place))))
  }
  return results
}
