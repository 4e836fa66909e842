import type { TUnsafe } from '@sinclair/typebox'
import type { Fields } from './field.ts'
import type { Schemas } from './route-schemas.ts'
import type { ShownValues } from './values.ts'

/** The schemas of a resource's fields in its single record, with the types of their values. */
export function recordProperties<F extends Fields> (
  { schemas }: { fields: F, schemas: Pick<Schemas, 'record'> }
): { [K in keyof ShownValues<F>]: TUnsafe<ShownValues<F>[K]> } {
  return schemas.record.properties as ReturnType<typeof recordProperties<F>> // made from these fields
}
