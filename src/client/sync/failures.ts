import { referredIn } from './edit.ts'
import type { Edit } from './edit.ts'

/**
 * The edits with which the server fails, and the later ones that need their records.
 * @param edits in order
 * @param failures by number of the edit
 * @returns numbers
 */
export function heldBy (edits: Edit[], failures: Map<number, unknown>): Set<number> {
  const records = new Set<unknown>()
  const held = edits.filter((edit) => {
    const { number, record } = edit
    const isHeld = failures.has(number) || [record, ...referredIn(edit)].some(id => records.has(id))
    if (isHeld) records.add(record)
    return isHeld
  })
  return new Set(held.map(({ number }) => number))
}
