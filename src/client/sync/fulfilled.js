import { bodyOf, withLocalIds } from './records.js'
import { recordsOf } from './server-ids.js'

/** @import { Edit } from './edit.js' */
/** @import { Scope } from './scope.js' */

/**
 * The refused edits and those in conflict whose values the records have already: another user made the same edit, or a restored server took
 * a late repetition of the request.
 * @param {Scope} scope
 * @param {Edit[]} edits
 * @param {number} generation of the records
 */
export async function fulfilled (scope, edits, generation) {
  const open = edits.filter(({ op, status }) => op !== 'delete' && (status === 'refused' || status === 'conflict'))
  if (open.length === 0) return []
  const localIdOf = await scope.localIds()
  const records = await recordsOf(scope, generation, open)
  return open.filter(({ resource, body = {} }, index) => {
    const record = records[index]
    const values = record && bodyOf(resource, withLocalIds(resource, record, localIdOf))
    return values !== undefined && Object.entries(body).every(([field, value]) => values[field] === value)
  })
}
