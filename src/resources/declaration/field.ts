import type { TSchema } from '@sinclair/typebox'
import { compares, equals, isNamed, isThe, refersTo, type Filter } from './conditions.ts'
import type { Texts } from '../../http/messages.ts'
import type { OnDelete, OrderingColumn, SumSpec } from './resource.ts'

/** The resource that a reference refers to. */
export interface ReferenceTarget {
  name: string
  entity: unknown
}

/** A reference, as a field declares it. */
export interface ReferenceSpec {
  resource: ReferenceTarget | 'self'
  byName?: string
  /** What a delete of the referred record does: it is refused, or it deletes the referring records too. Default: `protect`. */
  onDelete?: OnDelete
  /** The referring records in the message of the refusal. Default: the names of their resource. */
  called?: Texts
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

/** Storage, answers and bodies of a field. */
export interface FieldSpec extends Words {
  /** PostgreSQL type of its parameters. */
  type: string
  /** Creates the MikroORM property of the column. Computed fields have none. */
  property?: () => any
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
  /** Schema in queries. */
  query?: TSchema
  /** SQL of the value in answers, over `t` and the resource's joins. Default: the column. */
  sql?: string
  reference?: ReferenceSpec
  isRequired?: boolean
  isNullable?: boolean
  isUnique?: boolean
  /** The references within which its values are unique. */
  uniqueWithin?: readonly string[]
  /** Whether only a new record gets it. */
  isFixed?: boolean
  /** The reference within which the database numbers the records. */
  numberedWithin?: string
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
  fallback?: unknown
  /** Whether only `prepare` sets it. Neither answers nor bodies contain it. */
  isInternal?: boolean
  /** Whether only the single record contains it. */
  isDetail?: boolean
  /** The bodies that have it, if not all. A field with `on update` has no column. */
  taken?: 'on create' | 'on update'
  ordering?: Partial<OrderingColumn>
  filters?: readonly FilterSpec[]
}

/**
 * The declaration of a field: its column, its place in answers and bodies, its filters and orderings. `T` is the type of its values. Methods
 * return a changed copy.
 */
export class Field<T = unknown> {
  declare readonly valueType: T
  readonly spec: Readonly<FieldSpec>

  constructor (spec: FieldSpec) {
    this.spec = spec
  }

  /** POST and PUT require the field. */
  required (): Field<T> {
    return this.#with({ isRequired: true })
  }

  /** Allows null. Call it before `filterable`, whose parameter then accepts `null`. */
  nullable (): Field<T | null> {
    if (this.spec.filters !== undefined) throw new Error('nullable() must come before filterable()')
    return this.#with<T | null>({ isNullable: true })
  }

  /** Admits negative numbers. */
  signed (): Field<T> {
    if (this.spec.signedForm === undefined) throw new Error('only decimals can be signed')
    if (this.spec.filters !== undefined) throw new Error('signed() must come before filterable()')
    return this.#with(this.spec.signedForm)
  }

  indexed (): Field<T> {
    return this.#with({ isIndexed: true })
  }

  /** What a delete of the referred record does. @param called the referring records in the message of a refusal, such as `subcontracts` */
  onDelete (onDelete: OnDelete, called?: Texts): Field<T> {
    const { reference } = this.spec
    if (reference === undefined) throw new Error('onDelete() is for references')
    return this.#with({ reference: { ...reference, onDelete, ...called === undefined ? {} : { called } } })
  }

  /** Its values are unique in the company. Call it before `filterable`. */
  unique (): Field<T> {
    if (this.spec.filters !== undefined) throw new Error('unique() must come before filterable()')
    return this.#with({ isUnique: true })
  }

  /** Its values are unique among the records with the same references. Null is a value of a reference. */
  uniqueWithin (...references: string[]): Field<T> {
    return this.#with({ uniqueWithin: references })
  }

  /** Only a new record gets it. Another value in a change is 400 `immutable`. */
  fixed (): Field<T> {
    if (this.spec.reference?.byName !== undefined) throw new Error('a reference by name cannot be fixed')
    return this.#with({ isFixed: true })
  }

  /**
   * The column keeps the sum of an amount of the records that refer to this one. Bodies can give it only for a record without such records.
   * The sum of signed amounts can be negative, so the column has no check.
   * @param of returns the resource of the records, which is declared later, with a type annotation
   * @param where SQL condition over the columns of the records that count
   */
  sumOf (of: SumSpec['of'], field: string, where = 'true'): Field<T> {
    const { sums = [], signedForm } = this.spec
    return this.#with({ sums: [...sums, { of, field, where }], check: undefined, ...signedForm?.shown === undefined ? {} : { shown: signedForm.shown } })
  }

  /** A trigger of the resource sets the column. */
  keptBy (trigger: string): Field<T> {
    return this.#with({ keptBy: trigger })
  }

  /** Default value of a new record. */
  default (fallback: T): Field<T> {
    return this.#with({ fallback })
  }

  /** Its description, and examples of values in answers. */
  describe (description: string, ...examples: unknown[]): Field<T> {
    return this.#with({ description, ...examples.length === 0 ? {} : { examples } })
  }

  /** Replaces description or examples in bodies. */
  describeInput (inputWords: Words): Field<T> {
    return this.#with({ inputWords })
  }

  /** Answers contain this SQL, over `t` and the resource's joins, instead of the column. */
  from (sql: string): Field<T> {
    return this.#with({ sql })
  }

  /** Answers do not contain it, and PUT does not require it. */
  writeOnly (taken?: 'on update'): Field<T> {
    const { shown, ...spec } = this.spec
    return new Field<T>({ ...spec, taken: taken ?? 'on create' })
  }

  /** Only the single record contains it. */
  detail (): Field<T> {
    return this.#with({ isDetail: true })
  }

  /** Sets the collation of the column. */
  collate (collation: string): Field<T> {
    return this.#with({ collation })
  }

  /** Lists can be sorted by it. */
  orderable (ordering: Partial<OrderingColumn> = {}): Field<T> {
    return this.#with({ ordering })
  }

  /**
   * Adds a list parameter with the name of the field, for records with exactly this value. Call it after `nullable`, `unique` and `from`.
   * @throws {Error} if this kind of field has no query schema
   */
  filterable (description: string, ...examples: unknown[]): Field<T> {
    const { type, isNullable, isUnique, reference, sql } = this.spec
    const schema = this.#query({ description, examples })
    const { pattern } = schema as { pattern?: string }
    const filter = (column: string): Filter => {
      if (reference !== undefined || (type === 'int' && isNullable === true && pattern !== undefined)) return refersTo(column, reference?.byName === undefined ? undefined : sql)
      return isUnique === true ? isThe(column, type) : equals(column, type)
    }
    return this.#filter({ schema: isNullable === true && pattern !== undefined ? { ...schema, pattern: `^(null|${pattern.slice(1, -1)})$` } : schema, filter })
  }

  /** Adds a list parameter for records that refer to a record with exactly this name. */
  filterableByName (name: string, description: string, ...examples: unknown[]): Field<T> {
    return this.#filter({ name, schema: this.#query({ description, examples }), filter: () => isNamed(this.spec.sql as string) })
  }

  /** Adds list parameters with the name of the field and `_min` or `_max`. */
  range (min: string, max: string): Field<T> {
    return this.#bound({ suffix: '_min' }, '>=', min).#bound({ suffix: '_max' }, '<=', max)
  }

  /** Adds a list parameter for records whose value is at least, or at most, the given one. */
  bound (name: string, operator: '>=' | '<=', description: string): Field<T> {
    return this.#bound({ name }, operator, description)
  }

  #bound (name: { name: string } | { suffix: string }, operator: '>=' | '<=', description: string): Field<T> {
    return this.#filter({ ...name, schema: this.#query({ description }), filter: column => compares(column, operator, this.spec.type) })
  }

  #query ({ description, examples = [] }: Words): TSchema {
    const { query } = this.spec
    if (query === undefined) throw new Error(`a filter requires a query schema: ${description}`)
    return { ...query, description, ...examples.length === 0 ? {} : { examples } }
  }

  #filter (filter: FilterSpec): Field<T> {
    return this.#with({ filters: [...this.spec.filters ?? [], filter] })
  }

  #with<U = T> (changed: Partial<FieldSpec>): Field<U> {
    return new Field<U>({ ...this.spec, ...changed })
  }
}
