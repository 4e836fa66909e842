import type { TSchema } from '@sinclair/typebox'
import type { Filter } from './conditions.ts'
import type { Deprecation } from '../../http/deprecation.ts'
import type { Texts } from '../../http/messages.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import type { Column, Entity } from './table.ts'

/** The resource that a reference refers to. */
export interface ReferenceTarget {
  name: string
  entity: Entity
  fields: Record<string, { spec: FieldSpec }>
  /** {@link Resource.feedRoot} */
  feedRoot?: object | undefined
}

/** The fields of the record that a reference refers to. Those of a reference to the same resource are unknown to the compiler. */
export type FieldOf<R extends ReferenceTarget | 'self'> = R extends ReferenceTarget ? keyof R['fields'] & string : string

/** What a delete of a record does if others refer to it: it is refused, or it deletes them too. */
export type OnDelete = 'protect' | 'cascade'

/** A sum over the records that refer to a record. */
export interface SumSpec {
  /** The resource of the records. */
  of: string
  /** The amount. */
  field: string
  /** SQL condition over the columns of the records that count. */
  where: string
}

/** A column that lists can be ordered by. */
export interface OrderingColumn {
  sql: string
  /** PostgreSQL type that a cursor's value is cast to. */
  type: string
  /** Function that converts the shown value, which a cursor contains, to a value of `sql`. */
  by?: string
  nullable?: boolean
  /** The shown form of decimals, which a cursor's value must have. */
  pattern?: RegExp
  /** The least value of integers. */
  minimum?: number
  /** Whether `sql` refers to the resource's `filterJoins`. */
  joins?: boolean
  /** SQL of further joins over `t` that `sql` refers to. The joins of answers have the same aliases. */
  ownJoins?: string
  /** Whether an index has the records in this order. Otherwise they are sorted. */
  indexed?: boolean
}

/** A reference, as a field declares it. */
export interface ReferenceSpec {
  resource: ReferenceTarget | 'self'
  byName?: string
  /** What a delete of the referred record does: it is refused, or it deletes the referring records too. Default: `protect`. */
  onDelete?: OnDelete
  /** The referring records in the message of the refusal. Default: the names of their resource. */
  called?: Texts
  /** Another reference with the same value in both records, and the problem of a record where it differs. */
  within?: { reference: string, otherwise: ProblemKey }
}

/** Texts of a field or parameter in the OpenAPI document. */
export interface Words {
  description?: string
  examples?: readonly unknown[]
}

/** A parameter of lists. */
export interface FilterSpec {
  /** Name of the parameter. With `suffix` instead, the field's name and the suffix. */
  name?: string
  suffix?: string
  schema: TSchema
  /** @param column SQL of the field's column */
  filter: (column: string) => Filter
}

/** A default value of a column. */
export type Fallback = string | number | boolean | null

/** Storage, answers and bodies of a field. */
export interface FieldSpec extends Words {
  /** PostgreSQL type of its parameters. */
  type: string
  /** Creates the MikroORM property of the column. Computed fields have none. */
  property?: () => Column
  /** Check constraint of the column. */
  check?: ((column: string) => string) | undefined
  collation?: string
  /** SQL of the column's value as answers have it, if it differs from what the driver returns. */
  printed?: (column: string) => string
  /** The changes of {@link Field.signed}. */
  signedForm?: Partial<FieldSpec>
  /** Schema in answers, without `nullable`. Absent if answers do not contain the field. */
  shown?: TSchema
  /** Schema in bodies, without `nullable`. Absent for a read-only field. */
  input?: TSchema
  inputWords?: Words
  deprecated?: Deprecation
  /** Schema in queries. */
  query?: TSchema
  /** SQL of the value in answers, over `t` and the resource's joins. Default: the column. */
  sql?: string
  /** SQL over `t` and the resource's joins of a value with which a change keeps the stored one. */
  echo?: string
  reference?: ReferenceSpec
  isRequired?: boolean
  isNullable?: boolean
  /** Whether bodies can give null only to a record that has it. */
  isNullRefused?: boolean
  isUnique?: boolean
  /** The references within which its values are unique. */
  uniqueWithin?: readonly string[]
  /** Whether only a new record gets it. */
  isFixed?: boolean
  /** The reference within which the database numbers the records. */
  numberedWithin?: string
  /** SQL condition over the columns of records with their own numbers. */
  numberedApart?: string | undefined
  /** The other fields with whose values the records of the parent have their own numbers. */
  numberedBy?: readonly string[]
  /** The state in which the database sets the column, which is null before. */
  setAt?: string
  /** Whether the database sets the column to the user who writes. */
  isCaller?: boolean
  /** The value that a new record copies: a reference, and a field of the record there. */
  copiedFrom?: { via: string, field: string }
  /** SQL over the table's columns that computes the column. */
  generatedBy?: string
  /** The resource's own trigger that sets the column, in place of one that follows from the declaration. */
  keptBy?: string
  /** The sums over other records that the column keeps. */
  sums?: readonly SumSpec[]
  /** Maximum integer digits of a decimal. */
  whole?: number
  /** Whether the column of a reference has its own index. */
  isIndexed?: boolean
  /** Default value of a new record. */
  fallback?: Fallback
  /** Whether only `prepare` sets it. Neither answers nor bodies contain it. */
  isInternal?: boolean
  /** Whether only the single record contains it. */
  isDetail?: boolean
  /** The bodies that have it, if not all. A field with `on update` has no column. */
  taken?: 'on create' | 'on update'
  ordering?: Partial<OrderingColumn>
  filters?: readonly FilterSpec[]
}
