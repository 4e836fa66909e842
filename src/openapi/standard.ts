import type { DecimalForm } from '../resources/validation/keywords.ts'

/** A schema in JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type Schema = Record<string, any>

/** Location of a value: JSON types in a body, text in a query. */
export type SchemaUse = 'body' | 'query'

const emailLabel = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?'

/** The pattern of `isEmail` (src/resources/validation/formats.ts). */
const emailPattern = `^[\\w.!#$%&'*+/=?^\`{|}~-]{1,64}@(${emailLabel}\\.)+${emailLabel}$`

const moneyPattern = '^\\d{1,16}(\\.\\d{1,2})?$'
const percentagePattern = '^(100(\\.00?)?|\\d{1,2}(\\.\\d{1,2})?)$'

/** JSON Schema of our keywords (src/resources/validation/keywords.ts). If input has several forms, this is the form of answers. */
const ours: Record<string, (value: any, use: SchemaUse, schema: Schema) => Schema> = {
  text: (_true, _use, { minLength }) => ({ pattern: minLength === 1 ? '^\\s*[^\\s\\u0000][^\\u0000]*$' : '^[^\\u0000]*$' }),
  money: (_true, use) => ({ ...amount(use, { exclusiveMaximum: 1e16 }), pattern: moneyPattern, examples: ['1500.00'] }),
  percentage: (_true, use) => ({ ...amount(use, { maximum: 100 }), pattern: percentagePattern, examples: ['16.00'] }),
  decimal: (form: DecimalForm, use) => decimalSchema(form, use),
  isDate: () => ({ format: 'date', examples: ['2026-03-01'] }),
  isInstant: () => ({ format: 'date-time', examples: ['2026-03-01T15:04:05Z'] }),
  isTime: () => ({ format: 'date-time', examples: ['2026-03-01T15:04:05Z'] }),
  isHash: () => ({ pattern: '^[0-9A-Fa-f]{64}$' }),
  isEmail: () => ({ pattern: `^$|${emailPattern}`, examples: ['obras@example.mx'] }),
  accountEmail: () => ({ format: 'email', pattern: emailPattern, examples: ['director@demo.example'] }),
  isUuid: () => ({ format: 'uuid' }),
  rfc: () => ({ pattern: '^[A-ZÑ&]{3,4}\\d{6}[A-Z0-9]{3}$', examples: ['XAXX010101000'] }),
  list: () => ({ type: 'array' }),
  joined: () => ({}),
  digits: () => ({}),
  references: () => ({}),
  isId: () => ({}),
  sliced: () => ({})
}

/** @param limit the limit of a number in a body */
function amount (use: SchemaUse, limit: Schema): Schema {
  return use === 'query' ? { type: 'string' } : { type: ['string', 'number'], minimum: 0, ...limit }
}

/** A decimal with any number of places up to the field's own. */
function decimalSchema ({ whole, places, signed = false, nullable = false }: DecimalForm, use: SchemaUse): Schema {
  const fraction = places === 0 ? '' : `(\\.\\d{1,${places}})?`
  const pattern = `^${signed ? '-?' : ''}\\d{1,${whole}}${fraction}$`
  if (use === 'query') return { type: 'string', pattern }
  const bound = Number(`1e${whole}`)
  return {
    type: ['string', 'number', ...nullable ? ['null'] : []],
    ...signed ? { exclusiveMinimum: -bound } : { minimum: 0 },
    exclusiveMaximum: bound,
    pattern
  }
}

/** Converts our schemas to standard JSON Schema. Schemas with a title become components, and others refer to them. */
export class Standard {
  /** Schemas by title. The first schema with a title wins. */
  readonly components: Record<string, Schema> = {}
  readonly #recursive = new Map<string, string>()

  /** The converted schema, or a reference to it if it has a title. */
  of (schema: Schema, use: SchemaUse = 'body'): Schema {
    const { title, $id, $ref } = schema as { title?: string, $id?: string, $ref?: string }
    if ($ref !== undefined) return { $ref: `#/components/schemas/${this.#recursive.get($ref)}` }
    if (title === undefined) return this.#converted(schema, use)
    if ($id !== undefined) this.#recursive.set($id, title)
    // Registered before the conversion, because it may refer to itself.
    if (!Object.hasOwn(this.components, title)) Object.assign(this.components[title] = {}, this.#converted(schema, use))
    return { $ref: `#/components/schemas/${title}` }
  }

  #converted (schema: Schema, use: SchemaUse): Schema {
    const { $id, title, nullable, sentBack, properties, items, ...rest } = schema
    // Drops TypeBox's symbols.
    const result: Schema = Object.fromEntries(Object.entries(rest))
    for (const [keyword, standard] of Object.entries(ours)) {
      if (!Object.hasOwn(schema, keyword)) continue
      delete result[keyword]
      Object.assign(result, standard(schema[keyword], use, schema))
      if (schema['examples'] !== undefined) result['examples'] = schema['examples']
    }
    if (nullable === true && sentBack !== true) {
      result['type'] = [result['type'], 'null'].flat()
      if (result['enum'] !== undefined) result['enum'] = [...result['enum'], null]
    }
    if (items !== undefined) result['items'] = this.of(items, use)
    if (properties !== undefined) {
      const entries = Object.entries<Schema>(properties)
      result['properties'] = Object.fromEntries(entries.map(([name, property]) => [name, this.of(property, use)]))
    }
    for (const union of ['anyOf', 'oneOf', 'allOf']) {
      if (result[union] !== undefined) result[union] = result[union].map((member: Schema) => this.of(member, use))
    }
    return result
  }
}
