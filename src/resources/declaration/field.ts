import type { TSchema } from '@sinclair/typebox'
import { compares, equals, isNamed, isThe, refersTo, type Filter } from './conditions.ts'
import type { OrderingColumn } from './resource.ts'

/** What a reference needs to know of the resource that it refers to. */
export interface Target {
  name: string
  entity: unknown
}

/** What the OpenAPI document says of a field or parameter. */
export interface Words {
  description?: string
  examples?: readonly unknown[]
}

/** A parameter of lists. */
export interface FilterSpec {
  /** Name of the parameter, or what is appended to the field's name. */
  name?: string
  suffix?: string
  schema: TSchema
  /** @param column SQL for the field's column */
  filter: (column: string) => Filter
}

/** How a field is stored, shown and taken. */
export interface FieldSpec extends Words {
  /** PostgreSQL type of its parameters. */
  type: string
  /** Makes the MikroORM property of its column; none for a computed field. */
  property?: () => any
  /** Check constraint of its column. */
  check?: (column: string) => string
  collation?: string
  /** Schema in answers, without `nullable`; none for a field that answers do not have. */
  shown?: TSchema
  /** Schema in bodies, without `nullable`; none for a read-only field. */
  input?: TSchema
  inputWords?: Words
  /** Schema in queries. */
  query?: TSchema
  /** SQL of its value in answers, over `t` and the resource's joins; the column by default. */
  sql?: string
  reference?: { resource: Target | 'self', byName?: string }
  isRequired?: boolean
  isNullable?: boolean
  isUnique?: boolean
  /** Whether its column, a reference's, has an index of its own. */
  isIndexed?: boolean
  /** Value of a new record if the request leaves it out. */
  fallback?: unknown
  /** Whether only the single record shows it. */
  isDetail?: boolean
  /** The bodies that have it, if not all. A field that is taken `on update` alone is no column. */
  taken?: 'on create' | 'on update'
  ordering?: Partial<OrderingColumn>
  filters?: readonly FilterSpec[]
}

/**
 * A field of a resource, declared once: its column, its place in answers and bodies, and what lists do with it. `T` is the type of its
 * values. Methods return a changed copy.
 */
export class Field<T = unknown> {
  declare readonly valueType: T
  readonly spec: Readonly<FieldSpec>

  constructor (spec: FieldSpec) {
    this.spec = spec
  }

  /** POST and PUT must have it. */
  required (): Field<T> {
    return this.#with({ isRequired: true })
  }

  /** Comes before `filterable`, whose parameter then takes `null`. */
  nullable (): Field<T | null> {
    if (this.spec.filters !== undefined) throw new Error('nullable() must come before filterable()')
    return this.#with<T | null>({ isNullable: true })
  }

  indexed (): Field<T> {
    return this.#with({ isIndexed: true })
  }

  /** Its values are unique in the company. Comes before `filterable`. */
  unique (): Field<T> {
    if (this.spec.filters !== undefined) throw new Error('unique() must come before filterable()')
    return this.#with({ isUnique: true })
  }

  /** The value of a new record if the request leaves it out. */
  default (fallback: T): Field<T> {
    return this.#with({ fallback })
  }

  /** Its meaning, and examples of values in answers. */
  describe (description: string, ...examples: unknown[]): Field<T> {
    return this.#with({ description, ...examples.length === 0 ? {} : { examples } })
  }

  /** Replaces description or examples in bodies. */
  describeInput (inputWords: Words): Field<T> {
    return this.#with({ inputWords })
  }

  /** Answers show SQL over `t` and the resource's joins instead of the column. */
  from (sql: string): Field<T> {
    return this.#with({ sql })
  }

  /** Answers do not have it, and PUT does not require it. */
  writeOnly (taken?: 'on update'): Field<T> {
    const { shown, ...spec } = this.spec
    return new Field<T>({ ...spec, taken: taken ?? 'on create' })
  }

  /** Only the single record shows it. */
  detail (): Field<T> {
    return this.#with({ isDetail: true })
  }

  /** The collation of its column. */
  collate (collation: string): Field<T> {
    return this.#with({ collation })
  }

  /** Lists can be ordered by it. */
  orderable (ordering: Partial<OrderingColumn> = {}): Field<T> {
    return this.#with({ ordering })
  }

  /**
   * A list parameter of the field's name, for records with exactly that value. Comes after `nullable`, `unique` and `from`.
   * @throws {Error} if the kind of field has no schema for queries
   */
  filterable (description: string, ...examples: unknown[]): Field<T> {
    const { type, isNullable, isUnique, reference, sql } = this.spec
    const filter = (column: string): Filter => {
      if (reference !== undefined || (type === 'int' && isNullable === true)) return refersTo(column, reference?.byName === undefined ? undefined : sql)
      return isUnique === true ? isThe(column, type) : equals(column, type)
    }
    const schema = this.#query({ description, examples })
    const { pattern } = schema as { pattern?: string }
    return this.#filter({ schema: isNullable === true && pattern !== undefined ? { ...schema, pattern: `^(null|${pattern.slice(1, -1)})$` } : schema, filter })
  }

  /** A list parameter for records that refer to one with exactly that name. */
  filterableByName (name: string, description: string, ...examples: unknown[]): Field<T> {
    return this.#filter({ name, schema: this.#query({ description, examples }), filter: () => isNamed(this.spec.sql as string) })
  }

  /** List parameters of the field's name with `_min` and `_max`. */
  range (min: string, max: string): Field<T> {
    return this.#bound({ suffix: '_min' }, '>=', min).#bound({ suffix: '_max' }, '<=', max)
  }

  /** A list parameter for records whose value is the given one or greater, or smaller. */
  bound (name: string, operator: '>=' | '<=', description: string): Field<T> {
    return this.#bound({ name }, operator, description)
  }

  #bound (name: { name: string } | { suffix: string }, operator: '>=' | '<=', description: string): Field<T> {
    return this.#filter({ ...name, schema: this.#query({ description }), filter: column => compares(column, operator, this.spec.type) })
  }

  #query ({ description, examples = [] }: Words): TSchema {
    const { query } = this.spec
    if (query === undefined) throw new Error(`a filter needs a schema for queries: ${description}`)
    return { ...query, description, ...examples.length === 0 ? {} : { examples } }
  }

  #filter (filter: FilterSpec): Field<T> {
    return this.#with({ filters: [...this.spec.filters ?? [], filter] })
  }

  #with<U = T> (changed: Partial<FieldSpec>): Field<U> {
    return new Field<U>({ ...this.spec, ...changed })
  }
}
