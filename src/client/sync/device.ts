import { randomUuid } from '../random.ts'
import { isLocalId } from './edit.ts'
import type { Result } from './edit.ts'
import type { Edits } from './edits.ts'

/**
 * Whether the server has had another mutation with this number, or no longer knows: a second device has a copy of this one's storage, or
 * this device has an older one back.
 */
export function isTaken ({ status, code }: Result) {
  return status === 422 || code === 'already_acknowledged'
}

/**
 * Queues the edits again whose numbers are taken, and the edits that were refused beside them, which can depend on them. They are sent from
 * a new device when the feed has shown what the other one has sent.
 * @param results of a request
 */
export function queueAgain (edits: Edits, results: Result[]) {
  const answered = new Set(results.map(({ id }) => id))
  const again = edits.all.filter(({ number, status }) => status === 'queued' || (status === 'refused' && answered.has(number)))
  edits.state = { ...edits.state, isTaken: true }
  edits.move(again)
}

/**
 * Gives this device another id, so that no number is taken. The feed has shown everything that was sent with the earlier one: a creation
 * whose record it has shown was sent by the other device. It becomes an update, which is in conflict with other values.
 */
export async function becomeNewDevice (edits: Edits) {
  // These are sent with the earlier id, or they could run twice.
  if (edits.state.isTaken === undefined || edits.all.some(({ status }) => status === 'sent')) return
  const { isTaken, ...state } = edits.state
  edits.state = { ...state, device: randomUuid() }
  const creations = edits.all.filter(({ op, status }) => op === 'create' && status === 'queued')
  const serverIds = await edits.scope.serverIdsOf(creations.map(({ record }) => record).filter(isLocalId))
  for (const edit of creations) {
    if (serverIds.get(String(edit.record))?.created !== undefined) edits.change(edit, { op: 'update', base: edit.body })
  }
}
