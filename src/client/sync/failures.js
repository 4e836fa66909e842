import { referredIn } from './edit.js'

/** @import { Edit } from './edit.js' */

/**
 * The edits with which the server fails, and the later ones that need their records.
 * @param {Edit[]} edits in order
 * @param {Map<number, unknown>} failures by number of the edit
 * @returns {Set<number>} numbers
 */
export function heldBy (edits, failures) {
  /** @type {Set<unknown>} */
  const records = new Set()
  const held = edits.filter((edit) => {
    const { number, record } = edit
    const isHeld = failures.has(number) || [record, ...referredIn(edit)].some(id => records.has(id))
    if (isHeld) records.add(record)
    return isHeld
  })
  return new Set(held.map(({ number }) => number))
}
