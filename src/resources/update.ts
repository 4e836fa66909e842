import type { Database } from '../database/database.ts'
import type { Row } from '../database/sql.ts'
import { asked } from '../database/turns.ts'
import { ApiError, notFound, preconditionFailed, refuse } from '../errors.ts'
import type { Precondition } from '../http/etag.ts'
import { recordId } from './conditions.ts'
import { checkFacts } from './facts.ts'
import { readRecord } from './record.ts'
import type { Input } from './input.ts'
import type { Resource } from './resource.ts'
import { inCompany } from './transaction.ts'

/**
 * Changes the fields that the input has.
 * @returns the whole record as it now is
 * @throws {ApiError} 404, 412; {@link ValidationError} with everything that is wrong
 */
export async function updateRecord (database: Database, resource: Resource, company: number, id: string, input: Input, unchanged: Precondition): Promise<Row> {
  return await inCompany(database, company, async ({ em, ask }) => {
    const entity = await em.findOne(resource.entity, { id: recordId(id), company })
    if (entity === null) throw notFound()
    if (!unchanged(entity.version)) throw preconditionFailed()

    const { problems, references } = await checkFacts(ask, resource, company, input.values, entity.id)
    refuse([...input.problems, ...resource.rules({ ...entity, ...input.values }, entity), ...problems])

    em.assign(entity, { ...input.values, ...references })
    await em.flush()
    return await readRecord(async (shape, values) => await ask({ shape, company, values }), resource, entity.id)
  })
}

/** Deletes a record. @throws {ApiError} 404, 412, 409 `protected` saying what depends on it */
export async function removeRecord (database: Database, resource: Resource, company: number, id: string, unchanged: Precondition): Promise<void> {
  await inCompany(database, company, async ({ em, ask }) => {
    const entity = await em.findOne(resource.entity, { id: recordId(id), company })
    if (entity === null) throw notFound()
    if (!unchanged(entity.version)) throw preconditionFailed()

    const { key, counts } = resource.protectedBy
    const columns = [['id', 'int']] as const
    const selected = Object.entries(counts).map(([name, sql]) => `(${sql})::int as ${name}`)
    const text = `select ${['q.i', ...selected].join(', ')} from ${asked(columns)} join ${resource.name} t on t.company_id = q.company and t.id = q.id`
    const [{ i, ...dependents }] = await ask({ shape: { columns, text }, company, values: [entity.id] }) as [Row]
    if (Object.values(dependents).some(count => count > 0)) throw new ApiError(409, 'protected', key, { values: dependents })

    await em.remove(entity).flush()
  })
}
