import { isOpen } from './edit.js'
import { bodyOf, withLocalIds } from './records.js'
import { recordsOf } from './server-ids.js'

/** @import { Edit } from './edit.js' */
/** @import { Scope } from './scope.js' */

/**
 * The refused and blocked edits and those in conflict whose values the records have already: another user made the same edit, or the
 * server has taken a late repetition of the request, or one whose answer a proxy has replaced.
 * @param {Scope} scope
 * @param {Edit[]} edits
 * @param {number} generation of the records
 */
export async function fulfilled (scope, edits, generation) {
  const open = edits.filter(({ op, status }) => op !== 'delete' && isOpen({ status }))
  if (open.length === 0) return []
  const localIdOf = await scope.localIds()
  const records = await recordsOf(scope, generation, open)
  return open.filter(({ resource, body = {} }, index) => {
    const record = records[index]
    const values = record && bodyOf(resource, withLocalIds(resource, record, localIdOf))
    return values !== undefined && Object.entries(body).every(([field, value]) => values[field] === value)
  })
}
