import { p } from '@mikro-orm/core'
import { Type, type Static } from '@sinclair/typebox'
import { idType } from '../../database/turns/batch-requests.ts'
import { Field } from './field.ts'
import { AccountId } from './schemas.ts'

/**
 * A value of the parent that a new record keeps.
 * @param kind the field in the parent
 * @param from a reference and the field there, such as `estimate.contract`. The reference is required and fixed.
 */
export function copied<T, N extends string, const P extends `${string}.${string}`> (
  kind: Field<T, unknown, string, N>, from: P
): Field<T, never, P, N> {
  const [via = '', field = ''] = from.split('.')
  return new Field({ ...kind.readOnly().spec, copiedFrom: { via, field } })
}

/**
 * The number of the record in its parent: 1, 2, … The number of the last record is free again after its deletion.
 * @param apart SQL condition over the columns of records with their own numbers, for a number that a trigger of the resource keeps
 */
export function numberedWithin<const P extends string> (reference: P, apart?: string): Field<number, never, P> {
  const query = Type.Integer({ digits: true, minimum: 1, maximum: 2_147_483_647 })
  return new Field({
    type: 'int', numberedWithin: reference, numberedApart: apart, property: () => p.integer(), shown: Type.Integer({ minimum: 1 }), query
  })
}

/** A user as a record keeps it. */
const KeptUser = Type.Object({
  id: Type.Integer({ ...AccountId, description: 'Id of the user.' }),
  nombre: Type.String({ description: 'Name at the time of the write. It does not change afterwards.', examples: ['Daniela Director'] })
})

/**
 * The user who creates the record: the id and the name, which stay as they are then. With {@link Field.setAt}, the user who brings it into
 * a state. Null for a change outside of the API.
 */
export function caller (): Field<Static<typeof KeptUser> | null, never> {
  return new Field<Static<typeof KeptUser> | null, never>({
    type: idType,
    isCaller: true,
    isNullable: true,
    property: () => p.json(),
    shown: KeptUser,
    query: Type.String({ digits: true, pattern: '^[0-9]+$' })
  })
}

/** A value that the database computes from other fields of the record and stores. @param sql over the columns of the table */
export function generated<T> (kind: Field<T, unknown, string, string>, sql: string): Field<T, never> {
  const { property, ...spec } = kind.readOnly().spec
  if (property === undefined) throw new Error('a generated field has a column')
  return new Field({ ...spec, generatedBy: sql, property: () => property().generated(`(${sql}) stored`) })
}
