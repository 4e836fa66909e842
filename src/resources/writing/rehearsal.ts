import type { Work } from '../../database/turns/unit-of-work.ts'
import { isHttpError, type HttpError, type Problem, detailsOf, ValidationError } from '../../http/errors.ts'
import { isProblemKey, type ProblemKey } from '../../http/problem-codes.ts'
import type { Resource } from '../declaration/resource.ts'
import { findConflicts } from './conflicts.ts'
import { createRecord } from './create.ts'
import { type Failure, independent, provisionalId, resolved, without, writeSet, inParts } from './in-order.ts'
import { noteTwin, type ItemStep } from './item-steps.ts'
import type { Upsert } from './items.ts'
import { isSeenByWrite } from './raised.ts'
import { SetSize } from './set-size.ts'
import { changeRecord } from './update.ts'
import { isWritable, problemsOf, writeValidPart } from './valid-part.ts'

/** What a rehearsal finds. */
export interface Rehearsal {
  /** The sets to write, in order. */
  sets: ItemStep[][]
  /** The problems of refused items by index. */
  refused: Map<number, Problem[]>
  /** Whether it has ended before the last item, because enough problems are known. */
  hasMore: boolean
}

/** How to rehearse. */
/** Number of items that are refused in a set of one, after which a rehearsal ends: each takes statements of its own. */
const mostAlone = 1000

interface Options {
  upsert?: Upsert
  /** How a set of all steps failed, if this is known. */
  failure?: Failure | undefined
  /** Number of items that only a write of their own refuses, after which it ends. */
  mostTried: number
  /** Number of problems after which it ends. Default: no end. */
  mostProblems?: number
}

/**
 * Finds the items to write, by writing them under provisional ids. The result equals that of single requests in order, where a refused one
 * does not stop later ones. A set whose items are all valid takes the statements of a bulk. Otherwise its valid part is written. A set that
 * the database refuses as a whole, or with an item whose problems depend on its place, is halved.
 */
export async function rehearse (
  work: Work, resource: Resource, company: number, steps: ItemStep[], { upsert, failure, mostTried, mostProblems = Infinity }: Options
): Promise<Rehearsal> {
  const seen = new Set<string>()
  const sets: ItemStep[][] = []
  const refused: Rehearsal['refused'] = new Map()
  const size = new SetSize(steps.length)
  let failed = failure
  let [problems, tried, alone] = [0, 0, 0]
  let rest = steps
  while (rest.length > 0) {
    if (tried >= mostTried || alone >= mostAlone || problems >= mostProblems) return { sets, refused, hasMore: true }
    const next = rest.slice(0, size.next)
    for (const step of next) if (step.key !== undefined && seen.has(step.key)) noteTwin(step, seen, upsert)
    const set = beforeTwin(await independent(work.pause, resource, next))
    const known = await inParts(work.pause, set, async step => await resolved(work, resource, company, step))
    const part = await outcomeOf(work, resource, company, known, failed)
    failed = undefined
    if (part === undefined) {
      size.failed(set.length)
      continue
    }
    // The steps as they were, because records get other ids in the end.
    const written = set.filter(({ index }) => !part.refused.has(index))
    if (written.length > 0) sets.push(written)
    for (const step of written) noteTwin(step, seen, upsert)
    for (const [index, own] of part.refused) {
      refused.set(index, own)
      problems += own.length
    }
    rest = without(rest, set)
    if (set.length === 1 && written.length === 0) {
      size.refused(part.isAttempt !== true)
      if (part.isAttempt === true) tried++
      alone++
    } else {
      size.settled(set.length)
    }
  }
  return { sets, refused, hasMore: false }
}

/** The steps up to the first one whose record an earlier one would write. If the earlier one is refused, this one can be valid. */
function beforeTwin (steps: ItemStep[]): ItemStep[] {
  const keys = new Set<string>()
  const end = steps.findIndex((step) => {
    if (step.key === undefined || !isWritable(step)) return false
    const isTwin = keys.has(step.key)
    keys.add(step.key)
    return isTwin
  })
  return end === -1 ? steps : steps.slice(0, end)
}

/** The written steps of a set, and the problems of the others by index. */
interface SetOutcome {
  written: ItemStep[]
  refused: Rehearsal['refused']
  /** Whether only its own write shows that a single step is refused. */
  isAttempt?: boolean
}

/** Writes the valid steps of a set. @param failure how its write has failed, if it was tried @returns undefined if it must be halved */
async function outcomeOf (
  work: Work, resource: Resource, company: number, set: ItemStep[], failure: Failure | undefined
): Promise<SetOutcome | undefined> {
  const [one] = set
  if (set.length === 1 && isWritable(one)) {
    const refusal = await attempt(work, resource, company, one)
    return refusal === undefined
      ? { written: set, refused: new Map() }
      : { written: [], refused: new Map([[one.index, refusal.problems]]), isAttempt: refusal.isSeenByWrite }
  }
  if (set.length === 1) {
    const found = one.forbidden === undefined ? await findConflicts(work.read, resource, company, one.record, one.current?.id) : []
    return { written: [], refused: new Map([[one.index, problemsOf(one, found)]]) }
  }
  if (failure === undefined && set.every(isWritable)) {
    const result = await writeSet(work, resource, company, set, provisionalId)
    if (typeof result !== 'string') return { written: set, refused: new Map() }
    failure = result
  }
  const part = await writeValidPart(work, resource, company, set, { hasFailed: failure === 'error' })
  if (part === undefined) return undefined
  const { valid, conflicts } = part
  const refused = new Map(without(set, valid).map(step => [step.index, problemsOf(step, conflicts.get(step.index) ?? [])]))
  return { written: valid, refused }
}

/** Why an item is refused, and whether only its write shows it. */
interface Refusal {
  problems: Problem[]
  isSeenByWrite: boolean
}

/** Writes one item. @returns undefined if it is written */
async function attempt (
  work: Work, resource: Resource, company: number, { index, input, current }: ItemStep
): Promise<Refusal | undefined> {
  try {
    if (current === undefined) await createRecord(work, resource, company, input, provisionalId(index))
    else if ((await changeRecord(work, resource, company, current, input, true)).isOvertaken) {
      return { problems: [{ field: '', key: 'conflict' }], isSeenByWrite: true }
    }
    return undefined
  } catch (error) {
    if (error instanceof ValidationError) return { problems: error.problems, isSeenByWrite: isSeenByWrite(error) }
    if (isHttpError(error) && error.statusCode === 409) {
      return { problems: [{ field: '', key: conflictKey(error) }], isSeenByWrite: isSeenByWrite(error) }
    }
    throw error
  }
}

/** The message of a 409 of a single record. */
function conflictKey (error: HttpError): ProblemKey {
  const { key } = detailsOf(error)
  return isProblemKey(key) ? key : 'conflict'
}
