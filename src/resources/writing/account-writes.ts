import { constraintOf, sqlState } from '../../database/connection/sql-errors.ts'
import type { Row } from '../../database/connection/sql.ts'
import type { UnitOfWork } from '../../database/turns/unit-of-work.ts'
import { httpError, type Problem, refuse } from '../../http/errors.ts'
import { versionOf, type Precondition } from '../../http/representation.ts'
import { explained } from './constraint-errors.ts'
import { readRecord } from '../reading/record.ts'
import type { Input, Values } from '../declaration/input.ts'
import type { Reader } from '../declaration/scope.ts'
import type { AccountResource, ProposedRow, RuleContext } from '../declaration/account-resource.ts'

/** Input of a write to accounts. */
export interface AccountInput<V = Values> extends Input<V> {
  /** The hash that verified the caller's current password, if the request required it. */
  verified?: string | undefined
}

/** A transaction that holds the lock of all account writes. */
export interface AccountUnit {
  unit: UnitOfWork
  read: Reader
  rules: RuleContext
}

/** Creates a record. @returns the complete record @throws {ValidationError} with all problems */
export async function createAccount ({ unit: { em }, read, rules }: AccountUnit, resource: AccountResource, input: Input): Promise<Row> {
  const next = { ...resource.defaults(rules.reach), ...input.values }
  await refuseProblems(resource, input, { given: input.values, next }, rules)
  const entity = em.create(resource.entity, next)
  await em.flush().catch(explainOnce(resource, next))
  return await readRecord(read, resource, entity.id)
}

/**
 * Changes the fields of the input.
 * @returns the complete record after the change
 * @throws {HttpError} 404, 403, 412; {@link ValidationError} with all problems
 */
export async function updateAccount (
  { unit: { em }, read, rules }: AccountUnit, resource: AccountResource, id: string, input: Input, unchanged: Precondition
): Promise<Row> {
  const current = await changeable(read, resource, id, rules, unchanged)
  const given = input.values
  await refuseProblems(resource, input, { given, next: { ...current, ...given }, current }, rules)
  await resource.lock?.(current['id'], rules)
  em.assign(await em.findOneOrFail(resource.entity, current['id']), given)
  await em.flush().catch(explainOnce(resource, { ...current, ...given }))
  await resource.afterwards?.(current['id'], given, rules)
  return await readRecord(read, resource, current['id'])
}

/** Runs the resource's DELETE. @throws {HttpError} 404, 403, 412, 409 `protected` */
export async function removeAccount (
  { unit: { em }, read, rules }: AccountUnit, resource: AccountResource, id: string, unchanged: Precondition
): Promise<void> {
  if (resource.removal === undefined) throw new Error(`${resource.name} cannot be removed`)
  await resource.removal(await changeable(read, resource, id, rules, unchanged), em, rules)
}

/** Throws an error as {@link explained}, unless a repetition of the unit finds the problem. */
function explainOnce (resource: AccountResource, record: Row): (error: unknown) => never {
  return (error) => { throw isRepeated(error) ? error : explained(resource, record, error) }
}

/** Whether a writer without the lock of accounts caused the error. The unit is then repeated, and its checks report the conflict. */
export function isRepeated (error: unknown): boolean {
  return sqlState(error) === '23505' || constraintOf(error) === 'memberships_customer'
}

async function changeable (
  read: Reader, resource: AccountResource, id: string, { reach }: RuleContext, unchanged: Precondition
): Promise<Row> {
  const record = await readRecord(read, resource, id)
  if (resource.mayChange?.(record, reach) === false) throw httpError(403)
  if (!unchanged(versionOf(record))) throw httpError(412)
  return record
}

/** @throws {ValidationError} with all problems. For a field that its schema refused, only the problems of the schema. */
async function refuseProblems (resource: AccountResource, { problems }: Input, proposal: ProposedRow, rules: RuleContext): Promise<void> {
  const wrong = new Set(problems.map(({ field }) => field))
  const found = await resource.problems(proposal, rules)
  refuse([...problems, ...found.filter(({ field }) => !wrong.has(field))])
}

/** Whether the proposal changes a field. */
export function changes<K extends string> (
  field: K, { next, current }: { next: { [F in K]?: unknown }, current?: { [F in K]: unknown } }
): boolean {
  return current === undefined || next[field] !== current[field]
}

/** The problem of a reference to a record that does not exist within the caller's reach. */
export function absent (field: string, id: number): Problem {
  return { field, key: 'doesNotExist', values: { pk_value: id } }
}

/** Runs a counting statement. @param text SQL after the select list */
export async function counted (rules: RuleContext, text: string, values: unknown[]): Promise<number> {
  const [{ count }] = await rules.run({ text: `select count(*)::int as count ${text}`, values })
  return count
}
