import { ObraError } from '../errors.ts'
import { block } from './blocked.ts'
import { isTaken, queueAgain } from './device.ts'
import { Edits } from './edits.ts'
import { follow } from './follow.ts'
import { isFault } from './send-mutations.ts'
import { keepServerIds } from './server-ids.ts'
import type { Edit, Result } from './edit.ts'
import type { Scope, State } from './scope.ts'
import type { Named } from './server-ids.ts'

/** Synchronizations in which an edit or file can fail, while others do not, before it is refused or set apart. */
export const maxFailures = 3

/**
 * Keeps the results of a request, with what they mean for other edits.
 * @param cursor the cursor of the request with the revision of the results
 */
export async function keepResults (scope: Scope, results: Result[], cursor?: string) {
  const edits = await Edits.load(scope)
  if (cursor !== undefined) edits.state = withCursor(edits.state, cursor)
  const named: Named[] = []
  for (const result of results) {
    const edit = edits.all.find(({ number }) => number === result.id)
    // Another tab has kept the result already, if there are no locks between tabs.
    if (edit?.status !== 'sent') continue
    edits.change(edit, { status: statusOf(result), result, failures: undefined })
    if (isTaken(result)) continue
    follow(edits, edits.get(edit.number))
    if (result.status === 201 && result.record !== undefined) {
      named.push([String(edit.record), { resource: edit.resource, id: result.record.id }])
    }
  }
  if (results.some(isTaken)) queueAgain(edits, results)
  const known = await scope.serverIdsOf(named.map(([id]) => id))
  // The feed can have shown the record first.
  await keepServerIds(scope, named.filter(([id, serverId]) => known.get(id)?.id !== serverId.id))
  await edits.save()
}

/**
 * Counts failures: of a proxy or connection that lets a request without edits through, and of a server that takes other edits. After the
 * last one, the edit is set apart or, if the server has failed, refused. From then on the server no longer takes its mutation, because the
 * device acknowledges it.
 * @param failures errors by number of the edit
 * @returns errors of edits that are sent again
 */
export async function keepFailures (scope: Scope, failures: Map<number, unknown>, isServerUp: boolean): Promise<unknown[]> {
  const edits = await Edits.load(scope)
  const left: unknown[] = []
  const refusals: Result[] = []
  for (const [number, error] of failures) {
    const edit = edits.find(number)
    if (edit?.status !== 'sent') continue
    const isCounted = isFault(error) || (isServerUp && error instanceof ObraError)
    const count = (edit.failures ?? 0) + Number(isCounted)
    if (isCounted && count >= maxFailures && isFault(error)) {
      block(edits, edit, error)
    } else if (isCounted && count >= maxFailures) {
      refusals.push(refusal(edit, error as ObraError)) // faults were handled above
    } else {
      edits.change(edit, { failures: count })
      left.push(error)
    }
  }
  await edits.save()
  await keepResults(scope, refusals)
  return left
}

function withCursor (state: State, cursor: string): State {
  return state.copy === undefined ? state : { ...state, copy: { ...state.copy, cursor } }
}

function statusOf ({ status, fields }: Result): Edit['status'] {
  if (status < 300) return 'accepted'
  return fields !== undefined ? 'conflict' : 'refused'
}

/** The result of a mutation that cannot be sent. */
export function refusal ({ number }: Pick<Edit, 'number'>, { status, code, message, errors, codes }: ObraError): Result {
  return { id: number, status, code, detail: message, errors, codes }
}
