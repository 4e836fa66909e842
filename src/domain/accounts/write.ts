import type { EntityManager } from '@mikro-orm/postgresql'
import type { Row } from '../../database/sql.ts'
import { httpError, refuse } from '../../http/errors.ts'
import type { Precondition } from '../../http/etag.ts'
import type { Input } from '../../resources/input.ts'
import { readRecord } from '../../resources/record.ts'
import type { Asking } from '../../resources/scope.ts'
import type { AccountResource, Look, Proposal } from './resource.ts'

/** A transaction on accounts that nobody else's interrupts, and what is in reach there. */
export interface Work {
  em: EntityManager
  ask: Asking
  look: Look
}

/** Creates a record. @returns it, whole @throws {ValidationError} with everything that is wrong */
export async function createAccount ({ em, ask, look }: Work, resource: AccountResource, input: Input): Promise<Row> {
  const next = { ...resource.defaults(look.reach), ...input.values }
  await judge(resource, input, { given: input.values, next }, look)
  const entity = em.create(resource.entity, next)
  await em.flush()
  return await readRecord(ask, resource, entity.id)
}

/**
 * Changes the fields that the input has.
 * @returns the whole record as it now is
 * @throws {HttpError} 404, 403, 412; {@link ValidationError} with everything that is wrong
 */
export async function updateAccount ({ em, ask, look }: Work, resource: AccountResource, id: string, input: Input, unchanged: Precondition): Promise<Row> {
  const current = await changeable(ask, resource, id, look, unchanged)
  const given = input.values
  await judge(resource, input, { given, next: { ...current, ...given }, current }, look)
  em.assign(await em.findOneOrFail(resource.entity, current['id']), given)
  await em.flush()
  await resource.afterwards?.(current['id'], given, look)
  return await readRecord(ask, resource, current['id'])
}

/** Does what DELETE means for the resource. @throws {HttpError} 404, 403, 412, 409 `protected` */
export async function removeAccount ({ em, ask, look }: Work, resource: AccountResource, id: string, unchanged: Precondition): Promise<void> {
  if (resource.removal === undefined) throw new Error(`${resource.name} cannot be removed`)
  await resource.removal(await changeable(ask, resource, id, look, unchanged), em, look)
}

async function changeable (ask: Asking, resource: AccountResource, id: string, { reach }: Look, unchanged: Precondition): Promise<Row> {
  const record = await readRecord(ask, resource, id)
  if (resource.mayChange?.(record, reach) === false) throw httpError(403)
  if (!unchanged(record['version'])) throw httpError(412)
  return record
}

/** @throws {ValidationError} with all problems; of a field that came in wrong, those alone that it came in with */
async function judge (resource: AccountResource, { problems }: Input, proposal: Proposal, look: Look): Promise<void> {
  const wrong = new Set(problems.map(({ field }) => field))
  const found = await resource.problems(proposal, look)
  refuse([...problems, ...found.filter(({ field }) => !wrong.has(field))])
}
