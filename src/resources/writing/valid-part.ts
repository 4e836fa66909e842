import type { Row } from '../../database/connection/sql.ts'
import { isDataError } from '../../database/connection/sql-errors.ts'
import { answerAll, inSavepoint, type Work } from '../../database/turns/unit-of-work.ts'
import type { Problem } from '../../http/errors.ts'
import type { Resource } from '../declaration/resource.ts'
import { findConflicts } from './conflicts.ts'
import { insertion } from './create.ts'
import { isSound, provisionalId, type Step, inParts } from './in-order.ts'
import type { ItemStep } from './item-steps.ts'
import { modification } from './update.ts'
import { isRaised } from './raised.ts'
import { keysTaken, type KeysTaken } from './unique.ts'
import { isConflict, together } from './writable.ts'

/** Problems by the index of the item. */
type Problems = Map<number, Problem[]>

/** A step of a set. With `forbidden`, the step is refused without a look at other data. */
export interface PartStep extends Step {
  forbidden?: unknown
}

/** The steps of a set that can be written, in order, and the conflicts of the refused steps, by index. */
interface ValidPart<S> {
  valid: S[]
  conflicts: Problems
}

/** Whether a step is valid by itself, and the caller may write it. */
export function isWritable (step: PartStep): boolean {
  return isSound(step) && step.forbidden === undefined
}

/**
 * Writes the valid steps of a set, with provisional ids for new records. It takes a fixed number of statements, however many steps are
 * refused: the statements skip steps in conflict. The problems of a refused step must be those of its single request, although all lookups
 * run before or after all writes. So they must be the same before and after, except for a unique value that an earlier step of the set has
 * taken. A constraint can depend on other records: what a change frees, a later step of the set can take. So no change precedes a step with
 * the problem of a constraint. One difference remains: if an earlier step breaks a constraint and a later change repairs it, a step between
 * them that is refused for its own problems lacks the problem of this constraint.
 * If a trigger refuses the statement, the steps that it must refuse are looked up, and the others are written without them.
 * @returns undefined, with nothing written, if the problems of a step depend on its place in the set, or if the database refuses all of it
 */
export async function writeValidPart<S extends PartStep> (
  work: Work, resource: Resource, company: number, set: S[], { isRehearsal = false, hasFailed = false }: PartOptions = {}
): Promise<ValidPart<S> | undefined> {
  const conflictsOf = async ({ record, current, forbidden }: PartStep) =>
    forbidden === undefined ? await findConflicts(work.read, resource, company, record, current?.id) : []
  const before = await conflictsByIndex(work, set, conflictsOf)
  const fitting = set.filter(({ index }) => before.get(index)?.some(problem => isRaised(resource, problem)) !== true)
  const writePart = async (steps: S[]) => await inSavepoint(work.run, async () => {
    const written = await writeFitting(work, resource, company, steps)
    const isWritten = new Set(written)
    const refused = set.filter(step => !isWritten.has(step))
    const taken = keysTaken(resource, written)
    const after = await conflictsByIndex(work, refused, conflictsOf)
    // If the triggers have passed all steps together, it does not matter what they would refuse of one alone before.
    const alone = (index: number, still: Problem[] = []) => (before.get(index) ?? []).filter(problem =>
      steps !== set || !isRaised(resource, problem) || still.some(({ field, key }) => field === problem.field && key === problem.key))
    const isMixed = new Set(written.map(({ current }) => current === undefined)).size > 1
    const firstChange = written.find(({ current }) => current !== undefined)?.index ?? Infinity
    const isExactPart =
      refused.every(step => isExact(step, taken, alone(step.index, after.get(step.index)), after.get(step.index) ?? [])) &&
      refused.every(({ index }) => index < firstChange || after.get(index)?.some(isOfConstraint) !== true) &&
      // A later change can have made room for a new record.
      (!isMixed || written.every(({ index, current }) => current !== undefined || alone(index).length === 0))
    return { result: isExactPart ? { valid: written, conflicts: after } : undefined, isKept: isExactPart && !isRehearsal }
  })
  // Constraints and triggers fail the whole set.
  for (const steps of [...hasFailed ? [] : [set], ...fitting.length < set.length ? [fitting] : []]) {
    try {
      return await writePart(steps)
    } catch (error) {
      if (!isDataError(error)) throw error
    }
  }
  return undefined
}

/** How to write the valid part of a set. */
interface PartOptions {
  /** Whether the writes are rolled back. */
  isRehearsal?: boolean
  /** Whether a trigger or a constraint has refused the set as a whole. */
  hasFailed?: boolean
}

async function conflictsByIndex ({ pause }: Work, steps: PartStep[], find: (step: PartStep) => Promise<Problem[]>): Promise<Problems> {
  return new Map(await inParts(pause, steps, async step => [step.index, await find(step)] as const))
}

/** Writes the changes and then the new records that fit, in one statement each. @returns the written steps, in order */
async function writeFitting<S extends PartStep> ({ run, pause }: Work, resource: Resource, company: number, set: S[]): Promise<S[]> {
  const written = new Set<S>()
  const note = (steps: S[], rows: Row[][]) => {
    for (const [place, step] of steps.entries()) if (rows[place]?.[0] !== undefined) written.add(step)
  }
  const changes = set.filter(step => isWritable(step) && step.current !== undefined)
  const changing = await inParts(pause, changes, ({ record, current }) =>
    current === undefined ? [] : [modification(resource, company, current, record)])
  note(changes, await answerAll(run, changing.flat()))
  const fresh = set.filter(step => isWritable(step) && step.current === undefined)
  const insertions = await inParts(pause, fresh, ({ index, record }) => insertion(resource, company, record, 'given', provisionalId(index)))
  note(fresh, await answerAll(run, insertions))
  return set.filter(step => written.has(step))
}

/** Whether a problem that was looked up is that of a constraint. */
function isOfConstraint (problem: Problem): boolean {
  return !isConflict(problem) && !['unique', 'doesNotExist', 'nameDoesNotExist'].includes(problem.key)
}

/** Whether the problems of a refused step do not depend on its place in the set: those before and after the writes are equal. */
function isExact (step: PartStep, taken: KeysTaken, before: Problem[], after: Problem[]): boolean {
  if (step.forbidden !== undefined) return true
  if (isSound(step) && after.length === 0) return false
  const rest = (problems: Problem[]) => JSON.stringify(problems.filter(({ field, key }) => key !== 'unique' || !taken(field, step)))
  return rest(before) === rest(after)
}

/** The problems of a refused item, as its single request would report them. */
export function problemsOf (step: ItemStep, found: Problem[]): Problem[] {
  if (step.forbidden !== undefined) return [step.forbidden]
  const closed = isSound(step) ? found.find(isConflict) : undefined
  if (closed !== undefined) return [closed]
  const all = together(step.twin === undefined ? step.problems : [...step.problems, step.twin], found)
  return all.length > 0 ? all : [{ field: '', key: step.conflict ?? 'conflict' }]
}
