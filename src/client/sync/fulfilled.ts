import { isOpen } from './edit.ts'
import { bodyOf, withLocalIds } from './records.ts'
import { recordsOf } from './server-ids.ts'
import type { Edit } from './edit.ts'
import type { Scope } from './scope.ts'

/**
 * The refused and blocked edits and those in conflict whose values the records have already: another user made the same edit, or the
 * server has taken a late repetition of the request, or one whose answer a proxy has replaced.
 * @param generation of the records
 */
export async function fulfilled (scope: Scope, edits: Edit[], generation: number) {
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
