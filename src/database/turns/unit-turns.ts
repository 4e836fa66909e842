import { isDataError } from '../connection/sql-errors.ts'
import type { Row } from '../connection/sql.ts'
import { batch } from './batch.ts'
import type { BatchRequest, Turns } from './requests.ts'
import { answerAll, type Run } from './unit-of-work.ts'

/** No limits on waiting: requests of a unit wait only for that unit, whose statements have timeouts. */
const ofUnit = { inFlight: 1, maxRequests: Infinity, patienceMs: Infinity, refuseAfterMs: Infinity, requestWaitMs: Infinity } as const

/**
 * The turns of one unit of work, for many requests at the same time. They run one at a time, so that none runs inside another's savepoint. A
 * write that fails with a data error (see `isDataError`) does not affect the rest of the transaction.
 */
export function unitTurns (run: Run): Turns {
  let last: Promise<unknown> = Promise.resolve()
  const serially = async (work: () => Promise<Row[][]>): Promise<Row[][]> => {
    const turn = last.then(work, work)
    last = turn
    return await turn
  }
  return {
    read: batch(async (requests: BatchRequest[]) => await serially(async () => await answerAll(run, requests)), { ...ofUnit, name: 'unit read' }),
    write: batch(async (requests: BatchRequest[]) => await serially(async () => await writeAll(run, requests)), { ...ofUnit, name: 'unit write', isolates: isDataError })
  }
}

async function writeAll (run: Run, requests: BatchRequest[]): Promise<Row[][]> {
  return await inSavepoint(run, async () => ({ result: await answerAll(run, requests), isKept: true }))
}

/** The result of a part of a transaction, and whether its writes are kept. */
export interface Part<T> {
  result: T
  isKept: boolean
}

/** Runs a part of a transaction in a savepoint and rolls back only the part if it fails, or if it is not to be kept. */
export async function inSavepoint<T> (run: Run, part: () => Promise<Part<T>>): Promise<T> {
  const undo = async () => await Promise.all([run({ text: 'rollback to savepoint part', values: [] }), release()])
  const release = async () => await run({ text: 'release savepoint part', values: [] })
  let done: Part<T>
  try {
    // Sent together. The first statement is the savepoint.
    [, done] = await Promise.all([run({ text: 'savepoint part', values: [] }), part()])
  } catch (error) {
    await undo()
    throw error
  }
  await (done.isKept ? release() : undo())
  return done.result
}
