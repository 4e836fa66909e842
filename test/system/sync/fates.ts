import type { Edit, Ledger } from './ledger.ts'
import type { Sent, Wire } from './wire.ts'
import type { Applied } from './writes.ts'

/** The state at the end of a trial. */
export interface Outcome {
  ledger: Ledger
  wires: Map<string, Wire>
  /** The changes of each edit in the surviving timeline. */
  applied: Applied
  /** For each restore, the changes of each edit before it. */
  lost: Applied[]
  /** Names of the records that the server has at the end. */
  present: Set<string>
  /** Whether a phone lists an edit as refused or in conflict at the end. */
  isListed: (edit: Edit) => boolean
  /** Whether a phone shows the value of an edit in a record with other edits that it lists, or the edit waits for them. */
  isShown: (edit: Edit) => boolean
}

/** The edits that were neither applied nor reported, or both. */
export function unaccounted (outcome: Outcome): string[] {
  return outcome.ledger.all.flatMap((edit) => {
    const isApplied = outcome.applied.has(edit)
    const isReported = outcome.isListed(edit)
    if (isApplied && isReported && edit.op !== 'remove' && !isOfRemovedRecord(edit, outcome)) return [`${describe(edit)} is reported, but was applied; ${historyOf(edit, outcome)}`]
    if (isApplied || isReported || outcome.isShown(edit) || !edit.isKept || edit.isGivenUp || isLost(edit, outcome) || isReplaced(edit, outcome)) return []
    if (edit.op === 'remove' && !outcome.present.has(edit.identity)) return []
    return [`${describe(edit)} was neither applied nor reported; ${historyOf(edit, outcome)}`]
  })
}

/** Whether a restore removed the edit after its phone had seen it in the feed. */
function isLost (edit: Edit, { wires, lost }: Outcome): boolean {
  const wire = wires.get(edit.phone) as Wire
  return sentOf(edit, wire).some(sent => wire.isConfirmed(sent, edit.company, timeline => timeline < lost.length)) ||
    // Its record was removed with it. The device that created the record can create it again.
    (edit.op === 'remove' && isOfLostRecord(edit, lost))
}

/** The mutations that carried an edit to the server. */
function sentOf (edit: Edit, wire: Wire): Sent[] {
  if (edit.op !== 'remove') return [...wire.carriers.get(edit) ?? []]
  const ids = new Set([edit.id, ...[...wire.sent.values()].filter(({ content }) => content.ref === edit.id).flatMap(({ answers }) => answers.map(({ id }) => id))])
  return [...wire.sent.values()].filter(({ content: { op, resource, record } }) => op === 'delete' && resource === edit.resource && ids.has(typeof record === 'object' ? record.ref : record))
}

/** Whether a later edit of the same field, or the removal of its record, took the edit's place before the server had accepted it. */
function isReplaced (edit: Edit, { ledger, wires, lost }: Outcome): boolean {
  const isLater = ledger.of(edit).some(({ order, op, field }) => order > edit.order && (op === 'remove' || field === edit.field || edit.op === 'remove'))
  const wire = wires.get(edit.phone) as Wire
  const isRefused = ({ answers }: Sent) => (answers.at(-1)?.status ?? 0) >= 400
  const isCreationRefused = ledger.of(edit).some(other => other.op === 'create' && sentOf(other, wire).some(isRefused))
  // A store needs no answer to the edits of a record whose creation was refused.
  const isUnaccepted = sentOf(edit, wire).every(sent => isRefused(sent) || (isCreationRefused && sent.answers.length === 0))
  return isLater && (isUnaccepted || edit.wasReported || isOfLostRecord(edit, lost))
}

/**
 * Whether somebody has removed the record of an edit, and a restore has made its phone read all records again before the phone saw the edit: it
 * cannot know whether the restore or the removal took the record, and reports the edit.
 */
function isOfRemovedRecord ({ identity, resource }: Edit, { applied, lost, present }: Outcome): boolean {
  return lost.length > 0 && !present.has(identity) && [...applied.keys()].some(other => other.op === 'remove' && other.resource === resource && other.identity === identity)
}

/** Whether a restore removed the record of an edit. */
function isOfLostRecord (edit: Edit, lost: Applied[]): boolean {
  return lost.some(applied => [...applied.keys()].some(({ op, identity }) => op === 'create' && identity === edit.identity))
}

function historyOf (edit: Edit, { wires, applied, lost, ledger, present }: Outcome): string {
  const sent = sentOf(edit, wires.get(edit.phone) as Wire)
  const answers = sent.map(({ content: { id }, answers }) => `mutation ${id} answered ${answers.map(({ text, timeline }) => `${text} in timeline ${timeline}`).join(', ') || 'never'}`)
  const others = ledger.of(edit).map(other => `${other.op} ${other.token}${applied.has(other) ? '' : ' not'} applied`)
  const timelines = lost.flatMap((one, index) => one.has(edit) ? [`applied in timeline ${index}`] : [])
  return [...answers.length === 0 ? ['never sent'] : answers, ...timelines, ...others, `its record is ${present.has(edit.identity) ? '' : 'not '}on the server`].join('; ')
}

function describe ({ phone, op, resource, identity, field, token }: Edit): string {
  return `${phone}: ${op} ${resource} ${identity}${op === 'update' ? ` ${field} ${token}` : ''}`
}
