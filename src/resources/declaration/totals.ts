import { Type, type TSchema } from '@sinclair/typebox'
import type { Fields } from './field.ts'
import type { FieldSpec, ReferenceTarget } from './field-spec.ts'
import type { Targets } from './values.ts'

/** The field with the currency of a record, or `reference.field` for that of the record that it refers to. */
type CurrencyPath<F extends Fields> = (keyof F & string)
  | { [K in keyof Targets<F> & string]: `${K}.${Targets<F>[K]}` }[keyof Targets<F> & string]

/** The amounts that lists add up with `totals=true`. */
export interface TotalsDeclaration<F extends Fields> {
  of: ReadonlyArray<keyof F & string>
  currency: CurrencyPath<F>
  /** Joins for the SQL of the amounts. */
  joins?: string
}

/** SQL over `t` and `joins` of the sums of a list. */
export interface Totals {
  currency: string
  /** SQL of each amount, by field. */
  amounts: Record<string, string>
  joins: string
  /** Schema of the sums in answers: by currency, then by field. */
  schema: TSchema
}

/** Derives SQL and schema from a declaration. @throws {Error} for unknown fields */
export function totalsOf<F extends Fields> (fields: F, { of, currency, joins = '' }: TotalsDeclaration<F>): Totals {
  const { spec, sql, join } = currencyOf(fields, currency)
  const amounts = of.map(field => [field, specOf(fields, field)] as const)
  const sums = Type.Object(
    Object.fromEntries(amounts.map(([field, { shown }]) => [field, Type.Unsafe({ ...shown, description: `Sum of \`${field}\`.` })]))
  )
  const words: string[] = spec.shown?.['enum'] ?? []
  const example = Object.fromEntries(amounts.map(([field, { shown, examples = shown?.['examples'] }]) => [field, examples?.[0]]))
  return {
    currency: sql,
    amounts: Object.fromEntries(amounts.map(([field, { sql = `t.${field}` }]) => [field, sql])),
    joins: `${join} ${joins}`,
    schema: Type.Object(Object.fromEntries(words.toSorted().map(word => [word, Type.Optional(sums)])), {
      additionalProperties: false,
      examples: [Object.fromEntries(words.slice(0, 1).map(word => [word, example]))],
      description: 'Sums over the records on all pages, by currency. ' +
        'Only with `totals=true`. They can have more digits than the amounts of a record.'
    })
  }
}

/** The field of the currency, and SQL that reads it. */
function currencyOf (fields: Fields, path: string): { spec: FieldSpec, sql: string, join: string } {
  const [field = '', further] = path.split('.')
  const spec = specOf(fields, field)
  if (further === undefined) return { spec, sql: `t.${field}`, join: '' }
  const { resource } = spec.reference ?? {}
  if (resource === undefined || resource === 'self') throw new Error(`${path}: ${field} does not refer to another resource`)
  return {
    spec: specOf(resource.fields, further),
    sql: `totalled.${further}`,
    join: `join ${resource.name} totalled on totalled.company_id = t.company_id and totalled.id = t.${field}_id`
  }
}

function specOf (fields: ReferenceTarget['fields'], name: string): FieldSpec {
  const field = fields[name]
  if (field === undefined) throw new Error(`totals: there is no field ${name}`)
  return field.spec
}
