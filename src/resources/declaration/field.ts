import type { TSchema } from '@sinclair/typebox'
import { compares, equals, isNamed, isThe, refersTo, type Filter } from './conditions.ts'
import type { Texts } from '../../http/messages.ts'
import type { Fallback, FieldSpec, FilterSpec, OnDelete, OrderingColumn, Words } from './field-spec.ts'

/** The type with null, unless it has no values. */
type OrNull<T> = [T] extends [never] ? never : T | null

/** Any field. */
export type AnyField = Field<unknown, unknown, string, string>

/** Fields of a resource by name, in the order of answers. */
export type Fields = Record<string, AnyField>

/**
 * The declaration of a field: its column, its place in answers and bodies, its filters and orderings. Methods return a changed copy.
 *
 * The parameters are types that only the compiler uses: `T` of the values in records, `G` of those in bodies (both `never` if there are none),
 * `P` the other fields of the record that the field names, such as `obra` or `obra.contract`, and `N` the fields of the record that a reference
 * refers to.
 */
export class Field<T = unknown, G = T, P extends string = never, N extends string = never> {
  declare readonly value: T
  declare readonly given: G
  declare readonly path: P
  declare readonly target: N
  readonly spec: Readonly<FieldSpec>

  constructor (spec: FieldSpec) {
    this.spec = spec
  }

  /** POST and PUT require the field. */
  required (): Field<T, G, P, N> {
    return this.#with({ isRequired: true })
  }

  /** Allows null. Call it before `filterable`, whose parameter then accepts `null`. */
  nullable (): Field<OrNull<T>, OrNull<G>, P, N> {
    if (this.spec.filters !== undefined) throw new Error('nullable() must come before filterable()')
    return new Field({ ...this.spec, isNullable: true })
  }

  /** Admits negative numbers. */
  signed (): Field<T, G, P, N> {
    if (this.spec.signedForm === undefined) throw new Error('only decimals can be signed')
    if (this.spec.filters !== undefined) throw new Error('signed() must come before filterable()')
    return this.#with(this.spec.signedForm)
  }

  indexed (): Field<T, G, P, N> {
    return this.#with({ isIndexed: true })
  }

  /** What a delete of the referred record does. @param called the referring records in the message of a refusal, such as `subcontracts` */
  onDelete (onDelete: OnDelete, called?: Texts): Field<T, G, P, N> {
    const { reference } = this.spec
    if (reference === undefined) throw new Error('onDelete() is for references')
    return this.#with({ reference: { ...reference, onDelete, ...called === undefined ? {} : { called } } })
  }

  /** Its values are unique in the company. Call it before `filterable`. */
  unique (): Field<T, G, P, N> {
    if (this.spec.filters !== undefined) throw new Error('unique() must come before filterable()')
    return this.#with({ isUnique: true })
  }

  /** Its values are unique among the records with the same references. Null is a value of a reference. */
  uniqueWithin<const R extends string> (...references: R[]): Field<T, G, P | R, N> {
    return new Field({ ...this.spec, uniqueWithin: references })
  }

  /** Only a new record gets it. Another value in a change is 400 `immutable`. */
  fixed (): Field<T, G, P, N> {
    if (this.spec.reference?.byName !== undefined) throw new Error('a reference by name cannot be fixed')
    return this.#with({ isFixed: true })
  }

  /**
   * The column keeps the sum of an amount of the records that refer to this one. Bodies can give it only for a record without such records.
   * The sum of signed amounts can be negative, so the column has no check.
   * @param of name of the resource of the records. Its declaration needs this one, so that a value would be an import cycle.
   * @param where SQL condition over the columns of the records that count
   */
  sumOf (of: string, field: string, where = 'true'): Field<T, G, P, N> {
    const { sums = [], signedForm } = this.spec
    const shown = signedForm?.shown === undefined ? {} : { shown: signedForm.shown }
    return this.#with({ sums: [...sums, { of, field, where }], check: undefined, ...shown })
  }

  /** A trigger of the resource sets the column. */
  keptBy (trigger: string): Field<T, G, P, N> {
    return this.#with({ keptBy: trigger })
  }

  /** Default value of a new record. */
  default (fallback: G & Fallback): Field<T, G, P, N> {
    return this.#with({ fallback })
  }

  /** Its description, and examples of values in answers. */
  describe (description: string, ...examples: unknown[]): Field<T, G, P, N> {
    return this.#with({ description, ...examples.length === 0 ? {} : { examples } })
  }

  /** Replaces description or examples in bodies. */
  describeInput (inputWords: Words): Field<T, G, P, N> {
    return this.#with({ inputWords })
  }

  /** Answers contain this SQL, over `t` and the resource's joins, instead of the column. */
  from (sql: string): Field<T, G, P, N> {
    return this.#with({ sql })
  }

  /** Bodies do not have it. Its column has the values of other columns, which are checked there, or of the database. */
  readOnly (): Field<T, never, P, N> {
    const { input, check, isRequired, fallback, ...spec } = this.spec
    return new Field(spec)
  }

  /** Answers do not contain it, and PUT does not require it. `on update`: only changes have it, and no column. */
  writeOnly (taken: 'on update'): Field<never, never, P, N>
  writeOnly (): Field<never, G, P, N>
  writeOnly (taken?: 'on update'): Field<never, G, P, N> {
    const { shown, ...spec } = this.spec
    return new Field({ ...spec, taken: taken ?? 'on create' })
  }

  /** Only the single record contains it. */
  detail (): Field<T, G, P, N> {
    return this.#with({ isDetail: true })
  }

  /** Sets the collation of the column. */
  collate (collation: string): Field<T, G, P, N> {
    return this.#with({ collation })
  }

  /** Lists can be sorted by it. */
  orderable (ordering: Partial<OrderingColumn> = {}): Field<T, G, P, N> {
    return this.#with({ ordering })
  }

  /**
   * Adds a list parameter with the name of the field, for records with exactly this value. Call it after `nullable`, `unique` and `from`.
   * @throws {Error} if this kind of field has no query schema
   */
  filterable (description: string, ...examples: unknown[]): Field<T, G, P, N> {
    const { type, isNullable, isUnique, reference, sql } = this.spec
    const schema = this.#query({ description, examples })
    const pattern: unknown = schema['pattern']
    const orNull = isNullable === true && typeof pattern === 'string' ? { pattern: `^(null|${pattern.slice(1, -1)})$` } : undefined
    const filter = (column: string): Filter => {
      if (reference !== undefined) return refersTo(column, reference.byName === undefined ? undefined : sql)
      if (type === 'int' && orNull !== undefined) return refersTo(column)
      return isUnique === true ? isThe(column, type) : equals(column, type)
    }
    return this.#filter({ schema: { ...schema, ...orNull }, filter })
  }

  /** Adds a list parameter for records that refer to a record with exactly this name. */
  filterableByName (name: string, description: string, ...examples: unknown[]): Field<T, G, P, N> {
    const { sql } = this.spec
    if (sql === undefined) throw new Error('filterableByName() must come after from()')
    return this.#filter({ name, schema: this.#query({ description, examples }), filter: () => isNamed(sql) })
  }

  /** Adds list parameters with the name of the field and `_min` or `_max`. */
  range (min: string, max: string): Field<T, G, P, N> {
    return this.#bound({ suffix: '_min' }, '>=', min).#bound({ suffix: '_max' }, '<=', max)
  }

  /** Adds a list parameter for records whose value is at least, or at most, the given one. */
  bound (name: string, operator: '>=' | '<=', description: string): Field<T, G, P, N> {
    return this.#bound({ name }, operator, description)
  }

  #bound (name: { name: string } | { suffix: string }, operator: '>=' | '<=', description: string): Field<T, G, P, N> {
    return this.#filter({ ...name, schema: this.#query({ description }), filter: column => compares(column, operator, this.spec.type) })
  }

  #query ({ description, examples = [] }: Words): TSchema {
    const { query } = this.spec
    if (query === undefined) throw new Error(`a filter requires a query schema: ${description}`)
    return { ...query, description, ...examples.length === 0 ? {} : { examples } }
  }

  #filter (filter: FilterSpec): Field<T, G, P, N> {
    return this.#with({ filters: [...this.spec.filters ?? [], filter] })
  }

  #with (changed: Partial<FieldSpec>): Field<T, G, P, N> {
    return new Field({ ...this.spec, ...changed })
  }
}
