import type { Operation } from '../access.ts'
import { isDataError, type Row } from '../database/sql.ts'
import { asked, type Shape } from '../database/turns.ts'
import { ApiError, notFound, permissionDenied, preconditionFailed, refuse } from '../errors.ts'
import type { Precondition } from '../http/etag.ts'
import { recordId } from './conditions.ts'
import { checkFacts } from './facts.ts'
import { readRecord } from './record.ts'
import { proposed, type Input } from './input.ts'
import type { Resource, Values } from './resource.ts'
import { asCompany, type Work } from './transaction.ts'

/** A record as it is before a change. */
export type Current = Values & { id: number, version: number }

/** Whether the caller may do that. */
export type May = (operation: Operation) => boolean

/**
 * Changes the fields that the input has.
 * @returns the whole record as it now is
 * @throws {ApiError} 403, 404, 412, and as {@link changeRecord}
 */
export async function updateRecord (work: Work, resource: Resource, company: number, id: string, input: Input, unchanged: Precondition, may: May): Promise<Row> {
  const [current] = await findCurrent(work, resource, { id: recordId(id), company })
  permit(resource, input, current, may)
  if (current === undefined) throw notFound()
  if (!unchanged(current.version)) throw preconditionFailed()
  await changeRecord(work, resource, company, current, input)
  return await readRecord(asCompany(work.read, company), resource, current.id)
}

/** The records that a condition on columns finds, as they are; nothing keeps track of them. */
export async function findCurrent ({ em }: Work, resource: Resource, where: { company: number } & Values): Promise<Current[]> {
  return await em.find(resource.entity, where, { disableIdentityMap: true }) as Current[]
}

/**
 * Changes those of the given fields that differ.
 * @throws {ValidationError} with everything that is wrong; {@link ApiError} 409 when the record's state does not admit it
 */
export async function changeRecord ({ read, write }: Work, resource: Resource, company: number, current: Current, input: Input): Promise<void> {
  const next = proposed(resource, current, input)
  for (let attempt = 1; ; attempt++) {
    const { problems, references } = await checkFacts(read, resource, company, next, current.id)
    refuse([...input.problems, ...resource.rules(next, current, input.values), ...problems])
    const conflict = resource.conflict?.(next, current)
    if (conflict !== undefined) throw new ApiError(409, 'conflict', conflict)

    const record: Values = { ...next, ...references }
    const fields = [...Object.keys(resource.columns), ...Object.keys(resource.references)]
    if (fields.every(field => record[field] === current[field])) return
    try {
      await write({ shape: changeShape(resource), company, values: [current.id, ...fields.map(field => record[field])] })
      return
    } catch (error) {
      // What others of the same unit of work have just changed stands in the way: the facts tell what.
      if (!isDataError(error) || attempt > 1) throw error
    }
  }
}

const shapes = new WeakMap<Resource, Shape>()

function changeShape (resource: Resource): Shape {
  let shape = shapes.get(resource)
  if (shape === undefined) {
    const references = Object.values(resource.references).map(({ column }) => [column, 'int'] as const)
    const written = [...Object.entries(resource.columns), ...references]
    const columns = [['id', 'int'] as const, ...written]
    const text = `
      update ${resource.name} t set ${written.map(([column]) => `${column} = q.${column}`).join(', ')}
      from ${asked(columns)}
      where t.company_id = q.company and t.id = q.id
      returning q.i`
    shapes.set(resource, shape = { name: `${resource.name} change`, columns, text })
  }
  return shape
}

/** Deletes a record. @throws {ApiError} 404, 412, 409 saying what keeps it */
export async function removeRecord (work: Work, resource: Resource, company: number, id: string, unchanged: Precondition): Promise<void> {
  const [current] = await findCurrent(work, resource, { id: recordId(id), company })
  if (current === undefined) throw notFound()
  if (!unchanged(current.version)) throw preconditionFailed()

  const { code, key, counts } = resource.protectedBy
  const columns = [['id', 'int']] as const
  const selected = Object.entries(counts).map(([name, sql]) => `(${sql})::int as ${name}`)
  const text = `select ${['q.i', ...selected].join(', ')} from ${asked(columns)} join ${resource.name} t on t.company_id = q.company and t.id = q.id`
  const [{ i, ...dependents }] = await work.read({ shape: { columns, text }, company, values: [current.id] }) as [Row]
  if (Object.values(dependents).some(count => count > 0)) throw new ApiError(409, code, key, { values: dependents })

  await work.em.nativeDelete(resource.entity, { id: current.id, company })
}

/** Asks whether the caller may make that change. @throws {ApiError} 403 */
export function permit (resource: Resource, { values }: Input, current: Current | undefined, may: May): void {
  if (resource.demands !== undefined && !may(resource.demands(values, current))) throw permissionDenied()
}
