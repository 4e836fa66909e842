import { Type } from '@sinclair/typebox'
import type { Deprecation } from '../../http/deprecation.ts'
import type { Texts } from '../../http/messages.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import type { Fallback, FieldSpec, FilterSpec, OnDelete, OrderingColumn, Words } from './field-spec.ts'
import { boundFilter, conditionFilter, exactFilter, filtersThrough, nameFilter, pathFilter } from './filters.ts'

/** The type with null, unless it has no values. */
type OrNull<T> = [T] extends [never] ? never : T | null

/** Any field. */
type AnyField = Field<unknown, unknown, string, string>

/** Fields of a resource by name, in the order of answers. */
export type Fields = Record<string, AnyField>

/**
 * The declaration of a field: its column, its place in answers and bodies, its filters and orderings. Methods return a changed copy.
 *
 * The parameters are types that only the compiler uses: `T` of the values in records, `G` of those in bodies (both `never` if there are
 * none), `P` the other fields of the record that the field names, such as `obra` or `obra.contract`, and `N` the fields of the record that
 * a reference refers to.
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

  /** Null is the value of records that the database makes. Bodies can only send it back. */
  nullInAnswers (): Field<T | null, G, P, N> {
    return new Field({ ...this.spec, isNullable: true, isNullRefused: true })
  }

  /** Admits negative numbers. */
  signed (): Field<T, G, P, N> {
    if (this.spec.signedForm === undefined) throw new Error('only decimals can be signed')
    if (this.spec.filters !== undefined) throw new Error('signed() must come before filterable()')
    return this.#with(this.spec.signedForm)
  }

  /** Answers can have negative numbers, and bodies can send them back. A rule refuses other negative numbers. */
  signedInAnswers (): Field<T, G, P, N> {
    const signed = this.signed()
    const { input } = signed.spec
    const form: unknown = input?.['decimal']
    return signed.#with({ input: Type.Unsafe({ ...input, decimal: { ...Object(form), signed: false, echoed: true } }) })
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

  /**
   * The referred record has the same value of another reference, such as `contract`. The foreign key contains that reference too.
   * @param otherwise the problem of the field if the values differ
   */
  within<const R extends string> (reference: R, otherwise: ProblemKey): Field<T, G, P | R, N> {
    const { reference: target } = this.spec
    if (target === undefined || target.byName !== undefined) throw new Error('within() is for references by id')
    return new Field({ ...this.spec, reference: { ...target, within: { reference, otherwise } } })
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
   * @param of name of the resource of the records. Its declaration needs this one, so that a value would be an import cycle.
   * @param where SQL condition over the columns of the records that count
   */
  sumOf (of: string, field: string, where = 'true'): Field<T, G, P, N> {
    return this.#with({ sums: [...this.spec.sums ?? [], { of, field, where }] })
  }

  /** A trigger of the resource sets the column. */
  keptBy (trigger: string): Field<T, G, P, N> {
    return this.#with({ keptBy: trigger })
  }

  /**
   * The database sets it when the field `estado` gets this state. It is null before, and keeps its value afterwards. The field
   * is a number, `caller()` or a time. A time is that of the write.
   */
  setAt (state: string): Field<OrNull<T>, never, P, N> {
    return new Field({ ...this.nullable().readOnly().spec, setAt: state })
  }

  /** Records with different values in these fields are numbered separately. */
  apartBy<const R extends string> (...fields: R[]): Field<T, G, P | R, N> {
    return new Field({ ...this.spec, numberedBy: fields })
  }

  /** Default value of a new record. */
  default (fallback: G & Fallback): Field<T, G, P, N> {
    return this.#with({ fallback })
  }

  /** Its description, and examples of values in answers. */
  describe (description: string, ...examples: unknown[]): Field<T, G, P, N> {
    return this.#with({ description, ...examples.length === 0 ? {} : { examples } })
  }

  /** A later release removes it from answers and bodies. */
  deprecated (deprecated: Deprecation): Field<T, G, P, N> {
    return this.#with({ deprecated })
  }

  /** Replaces description or examples in bodies. */
  describeInput (inputWords: Words): Field<T, G, P, N> {
    return this.#with({ inputWords })
  }

  /** Answers contain this SQL, over `t` and the resource's joins, instead of the column. */
  from (sql: string): Field<T, G, P, N> {
    return this.#with({ sql })
  }

  /** As {@link from}, for a field of bodies. A change that sends the shown value back keeps the stored one. */
  shownAs (sql: string): Field<T, G, P, N> {
    return this.#with({ sql, echo: sql })
  }

  /** A change that sends the value of `sql` keeps the stored one. */
  unchangedBy (sql: string): Field<T, G, P, N> {
    return this.#with({ echo: sql })
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
   * Adds a list parameter with the name of the field, for records with exactly this value. Call it after `nullable` and `unique`.
   * @param examples as they stand in the query
   * @throws {Error} if this kind of field has no query schema
   */
  filterable (description: string, ...examples: string[]): Field<T, G, P, N> {
    return this.#filter(exactFilter(this.spec, { description, examples }))
  }

  /**
   * Adds a list parameter with the name of the field, for records with this path or a path below it. Parts of a path have `/` between them.
   */
  filterableByPath (description: string, ...examples: string[]): Field<T, G, P, N> {
    return this.#filter(pathFilter(this.spec, { description, examples }))
  }

  /** Adds a list parameter for records that refer to a record with exactly this name. */
  filterableByName (name: string, description: string, ...examples: string[]): Field<T, G, P, N> {
    return this.#filter(nameFilter(this.spec, name, { description, examples }))
  }

  /**
   * Adds the list parameters of a field of the referred record, for records that refer to such a record.
   * @param alias of the referred record in `filterJoins`
   * @param descriptions of the parameters, by name
   */
  filterableThrough (field: N, alias: string, descriptions: Record<string, string>): Field<T, G, P, N> {
    const start: Field<T, G, P, N> = this
    return filtersThrough(this.spec, field, alias, descriptions).reduce((changed, filter) => changed.#filter(filter), start)
  }

  /** Adds a list parameter: `true` for records for which the SQL over `t` is true, `false` for the others. */
  filterableIf (name: string, sql: string, description: string): Field<T, G, P, N> {
    return this.#filter(conditionFilter(name, sql, description))
  }

  /** Adds list parameters with the name of the field and `_min` or `_max`. */
  range (min: string, max: string): Field<T, G, P, N> {
    const least = boundFilter(this.spec, { suffix: '_min' }, '>=', { description: min })
    const most = boundFilter(this.spec, { suffix: '_max' }, '<=', { description: max })
    return this.#filter(least).#filter(most)
  }

  /** Adds a list parameter for records whose value is at least, or at most, the given one. */
  bound (name: string, operator: '>=' | '<=', description: string): Field<T, G, P, N> {
    return this.#filter(boundFilter(this.spec, { name }, operator, { description }))
  }

  #filter (filter: FilterSpec): Field<T, G, P, N> {
    return this.#with({ filters: [...this.spec.filters ?? [], filter] })
  }

  #with (changed: Partial<FieldSpec>): Field<T, G, P, N> {
    return new Field({ ...this.spec, ...changed })
  }
}
