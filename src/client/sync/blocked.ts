import { ObraError } from '../errors.ts'
import { sendAgain } from './again.ts'
import { Edits } from './edits.ts'
import { heldBy } from './failures.ts'
import type { Edit } from './edit.ts'
import type { Scope } from './scope.ts'

/** Time in ms after which a blocked edit or file is sent again: the device can be in another network. */
const retryPauseMs = 60 * 60_000

/** Whether it is too early to send what was blocked. A clock that was set back does not prolong the pause. */
export function isInPause (blockedAt: number) {
  return Math.abs(Date.now() - blockedAt) < retryPauseMs
}

/** The result of an edit or file that something between does not let through: a proxy answers, or the connection breaks. */
export function faultOf ({ number }: Pick<Edit, 'number'>, error: unknown) {
  const { status, code, message } = error instanceof ObraError ? error : { status: 0, code: 'offline', message: String(error) }
  return { id: number, status, code, detail: message, reason: 'proxy' as const }
}

/**
 * Sets an edit apart which something between does not let through, so that it does not delay the others. The later edits that need its
 * record wait. Some were sent with it: they get new numbers, because the device acknowledges the earlier ones.
 */
export function block (edits: Edits, edit: Edit, error: unknown) {
  edits.change(edit, { status: 'blocked', blockedAt: Date.now(), mutation: undefined, result: faultOf(edit, error) })
  const held = heldBy(edits.all, new Map([[edit.number, undefined]]))
  edits.move(edits.all.filter(({ number, status }) => held.has(number) && (status === 'sent' || status === 'queued')))
}

/** Queues a blocked edit again, with the edits that wait for it. */
export function unblock (edits: Edits, edit: Edit) {
  if (edit.op === 'delete') edits.move([edit])
  else sendAgain(edits, { op: 'update', resource: edit.resource, record: edit.record })
}

/** Queues the blocked edits again whose pause is over. */
export async function queueDue (scope: Scope) {
  const edits = await Edits.load(scope)
  const blocked = edits.all.filter(({ status }) => status === 'blocked')
  const due = blocked.filter(({ blockedAt = 0 }) => !isInPause(blockedAt))
  for (const { number } of due) {
    // It can have been queued with another one of its record.
    const edit = edits.find(number)
    if (edit?.status === 'blocked') unblock(edits, edit)
  }
  if (due.length > 0) await edits.save()
}
