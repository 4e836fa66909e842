import { sendAgain, withDependents } from './again.ts'
import { isOpen, referredIn, versionAfter } from './edit.ts'
import { changesState } from './order.ts'
import type { Edit } from './edit.ts'
import type { Edits } from './edits.ts'

/**
 * What the result of an edit means for the other edits of its record.
 * @param edit with its result
 */
export function follow (edits: Edits, edit: Edit) {
  const { op, status, result, resource, record } = edit
  const later = edits.of(resource, record).filter(({ number }) => number > edit.number)
  const removal = later.find(({ op }) => op === 'delete')
  if (status === 'accepted') {
    if (op === 'delete') edits.drop(edits.of(resource, record).filter(isOpen))
    else if (removal?.status === 'queued') edits.change(removal, { version: versionAfter(removal.version, [edit]) })
  } else if (result?.errors?.['ref'] !== undefined && op === 'create') {
    updateInstead(edits, edit, later)
  } else if (op === 'delete') {
    // The record is shown again, and the app decides.
  } else if (removal !== undefined) {
    edits.discard(edit.number)
  } else if (status === 'refused' && op === 'create') {
    // The server refuses the edits of the record that are being sent too. Their answers do not count.
    edits.move(withDependents(edits.all, later.filter(({ status }) => status === 'sent')))
    const [next] = edits.of(resource, record).filter(({ number }) => number > edit.number)
    if (result?.status === 424 && hasLaterCreation(edits, edit)) {
      edits.move(withDependents(edits.all, [edit]))
    } else if (next?.status === 'queued' && !changesState(next)) {
      // It can be a correction, which was made before the creation was refused.
      edits.drop([next])
      edits.change(edit, { body: { ...edit.body, ...next.body }, createdAt: { ...edit.createdAt, ...next.createdAt } })
      sendAgain(edits, { op: 'update', resource, record })
    }
  } else if (hasLaterCreation(edits, edit)) {
    edits.move(withDependents(edits.all, [edit]))
  } else if (status === 'refused') {
    edits.mergeIntoCorrection(edit)
  }
}

/**
 * Whether a creation that an edit needs was corrected while the edit was being sent. If an answer was lost, the next request can have the
 * edit and the correction.
 */
function hasLaterCreation (edits: Edits, edit: Edit) {
  const needed = [edit.record, ...referredIn(edit)]
  const later = edits.all.filter(({ number }) => number > edit.number)
  return later.some(({ op, status, record }) => op === 'create' && status !== 'refused' && needed.includes(record))
}

/**
 * Replaces a creation by an update in its place: the server had taken an earlier form of it, although its answer said otherwise. A record
 * that is removed afterwards needs no update.
 * @param later edits of its record
 */
function updateInstead (edits: Edits, edit: Edit, later: Edit[]) {
  const { resource, record, body = {}, createdAt } = edit
  // Edits that are being sent run before the update.
  const sent = later.filter(({ status }) => status !== 'queued')
  const latest = Object.fromEntries(Object.entries(body).filter(([field]) => !sent.some(({ body = {} }) => Object.hasOwn(body, field))))
  const behind = edits.all.filter(({ number, status }) => number > edit.number && status === 'queued')
  edits.drop([edit])
  if (later.some(({ op }) => op === 'delete')) return
  edits.add({ op: 'update', resource, record, body: latest, base: {}, createdAt })
  edits.move(behind)
}
