import type { Database } from '../database/database.ts'
import type { Row } from '../database/sql.ts'
import { asked } from '../database/turns.ts'
import { ApiError, notFound, permissionDenied, refuse } from '../errors.ts'
import type { Precondition } from '../http/etag.ts'
import type { Operation } from '../access.ts'
import { recordId } from './conditions.ts'
import { checkFacts } from './facts.ts'
import { readRecord } from './record.ts'
import type { Input } from './input.ts'
import type { Resource } from './resource.ts'
import { inCompany } from './transaction.ts'

/**
 * Changes the fields that the input has.
 * @param may whether the caller may do that
 * @returns the whole record as it now is
 * @throws {ApiError} 403, 404, 412; {@link ValidationError} with everything that is wrong; 409 when the record's state does not admit it
 */
export async function updateRecord (database: Database, resource: Resource, company: number, id: string, input: Input, unchanged: Precondition, may: (operation: Operation) => boolean): Promise<Row> {
  return await inCompany(database, company, async ({ em, ask }) => {
    const entity = await em.findOne(resource.entity, { id: recordId(id), company })
    if (resource.demands !== undefined && !may(resource.demands(input.values, entity ?? undefined))) throw permissionDenied()
    if (entity === null) throw notFound()
    if (!unchanged(entity.version)) throw preconditionFailed()

    const next = { ...entity, ...input.values }
    const { problems, references } = await checkFacts(ask, resource, company, next, entity.id)
    refuse([...input.problems, ...resource.rules(next, entity, input.values), ...problems])
    const conflict = resource.conflict?.(next, entity)
    if (conflict !== undefined) throw new ApiError(409, 'conflict', conflict)

    em.assign(entity, { ...input.values, ...references })
    await em.flush()
    return await readRecord(ask, resource, company, entity.id)
  })
}

/** Deletes a record. @throws {ApiError} 404, 412, 409 saying what keeps it */
export async function removeRecord (database: Database, resource: Resource, company: number, id: string, unchanged: Precondition): Promise<void> {
  await inCompany(database, company, async ({ em, ask }) => {
    const entity = await em.findOne(resource.entity, { id: recordId(id), company })
    if (entity === null) throw notFound()
    if (!unchanged(entity.version)) throw preconditionFailed()

    const { code, key, counts } = resource.protectedBy
    const columns = [['id', 'int']] as const
    const selected = Object.entries(counts).map(([name, sql]) => `(${sql})::int as ${name}`)
    const text = `select ${['q.i', ...selected].join(', ')} from ${asked(columns)} join ${resource.name} t on t.company_id = q.company and t.id = q.id`
    const [{ i, ...dependents }] = await ask({ shape: { columns, text }, company, values: [entity.id] }) as [Row]
    if (Object.values(dependents).some(count => count > 0)) throw new ApiError(409, code, key, { values: dependents })

    await em.remove(entity).flush()
  })
}

function preconditionFailed (): ApiError {
  return new ApiError(412, 'precondition_failed', 'preconditionFailed')
}
