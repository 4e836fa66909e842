import { isLocalId, referredIn } from './edit.ts'
import { Edits } from './edits.ts'
import { heldBy } from './failures.ts'
import { createdAtOf, mutationOf } from './mutation.ts'
import { buildsOn, recordOf, waitingIn } from './order.ts'
import { upToUnseen } from './removals.ts'
import { isFault } from './send-mutations.ts'
import type { Edit } from './edit.ts'
import type { Scope } from './scope.ts'

/** Limit of the mutations of a request in bytes, below that of the server. */
const maxBytes = 1_000_000
/** Results that the device leaves unacknowledged, below the server's limit of 1,000. */
const maxResults = 800

/**
 * The first edits without an answer, from now on `sent`: their mutations stay the same until the server answers.
 * @param failures by the numbers of edits that are left out
 */
export async function nextEdits (scope: Scope, maxEdits: number, failures: Map<number, unknown>) {
  const edits = await Edits.load(scope)
  const { state } = edits
  // Only a complete copy shows which records the server has lost.
  const cursor = state.next === undefined ? state.copy?.cursor : undefined
  if (cursor === undefined) return { cursor, device: state.device, acknowledged: 0, edits: [], isWindowFull: false }
  const held = heldBy(edits.all, failures)
  const unanswered = new Set([...failures].filter(([, error]) => isFault(error)).map(([number]) => number))
  // The numbers of queued edits may be taken.
  const isSendable = (status: Edit['status']) => status === 'sent' || (status === 'queued' && state.isTaken === undefined)
  const isUnanswered = ({ number, status }: Edit) => isSendable(status) && !held.has(number)
  letOvertake(edits, isUnanswered)
  const { all } = edits
  const waiting = waitingIn(all)
  const acknowledged = acknowledgedIn(edits)
  const candidates = all.filter(edit => isUnanswered(edit) && !waiting.has(edit))
  const inWindow = candidates.filter(({ number }) => number <= acknowledged + maxResults).slice(0, maxEdits)
  const next = upToUnclear(upToUnseen(all, inWindow, unanswered))
  const serverIds = await scope.serverIdsOf(next.flatMap(edit => [edit.record, ...referredIn(edit)]).filter(isLocalId))
  const numbers = new Set()
  let bytes = 0
  for (const edit of next) {
    const mutation = edit.mutation ?? mutationOf(edit, serverIds)
    bytes += JSON.stringify(mutation).length
    if (bytes > maxBytes && numbers.size > 0) break
    numbers.add(edit.number)
    if (edit.status !== 'queued') continue
    edits.change(edit, { status: 'sent', mutation, createdAt: { ...edit.createdAt, ...createdAtOf(edit, serverIds) } })
  }
  await edits.save()
  return {
    cursor,
    device: state.device,
    acknowledged,
    edits: all.filter(({ number }) => numbers.has(number)),
    isWindowFull: candidates.length > 0 && inWindow.length === 0
  }
}

/** The number up to which the device has all results, and the feed has shown their records. */
export function acknowledgedIn ({ all, state }: Edits) {
  const open = all.find(({ status }) => status === 'queued' || status === 'sent' || status === 'accepted')
  return (open?.number ?? state.last + 1) - 1
}

/**
 * Gives edits that wait for the app later numbers than the edits that are sent now: the server keeps all results after the first open
 * number.
 */
function letOvertake (edits: Edits, isUnanswered: (edit: Edit) => boolean) {
  const waiting = waitingIn(edits.all)
  const last = edits.all.findLastIndex(edit => isUnanswered(edit) && !waiting.has(edit))
  if (edits.all.slice(0, Math.max(last, 0)).some(edit => waiting.has(edit))) edits.move([...waiting])
}

/**
 * Edits up to the first one that builds on another of them: the next request has it, if the server accepts the other. An edit of a new
 * record need not wait, because without the record the server refuses it.
 * @param edits in order
 */
function upToUnclear (edits: Edit[]) {
  const byRecord = new Map<string, Edit[]>()
  const end = edits.findIndex((edit) => {
    const before = byRecord.get(recordOf(edit)) ?? []
    byRecord.set(recordOf(edit), [...before, edit])
    return edit.status === 'queued' && before.some(earlier => (earlier.op !== 'create' || edit.op === 'delete') && buildsOn(edit, earlier))
  })
  return end < 0 ? edits : edits.slice(0, end)
}
