import type { DecimalForm } from '../resources/validation/keywords.ts'

/** A schema in JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type Schema = Record<string, any>

/** Location of a value: JSON types in a body, text in a query. */
export type SchemaUse = 'body' | 'query'

const emailLabel = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?'

/** The pattern of `isEmail` (src/resources/validation/formats.ts). */
const emailPattern = `^[\\w.!#$%&'*+/=?^\`{|}~-]{1,64}@(${emailLabel}\\.)+${emailLabel}$`

/** JSON Schema of our keywords (src/resources/validation/keywords.ts). If input has several forms, this is the form of answers. */
const ours: Record<string, (value: any, place: SchemaUse, schema: Schema) => Schema> = {
  text: (_true, _place, { minLength }) => ({ pattern: minLength === 1 ? '^\\s*[^\\s\\u0000][^\\u0000]*$' : '^[^\\u0000]*$' }),
  money: (_true, place) => ({ ...amount(place), ...place === 'body' ? { exclusiveMaximum: 1e16 } : {}, pattern: '^\\d{1,16}(\\.\\d{1,2})?$', examples: ['1500.00'] }),
  percentage: (_true, place) => ({ ...amount(place), ...place === 'body' ? { maximum: 100 } : {}, pattern: '^(100(\\.00?)?|\\d{1,2}(\\.\\d{1,2})?)$', examples: ['16.00'] }),
  decimal: (form: DecimalForm, place) => decimalSchema(form, place),
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
  sliced: () => ({})
}

function amount (place: SchemaUse): Schema {
  return place === 'query' ? { type: 'string' } : { type: ['string', 'number'], minimum: 0 }
}

/** A decimal with any number of places up to the field's own. */
function decimalSchema ({ whole, places, signed = false, nullable = false }: DecimalForm, place: SchemaUse): Schema {
  const bound = Number(`1e${whole}`)
  return {
    ...place === 'query' ? { type: 'string' } : { type: ['string', 'number', ...nullable ? ['null'] : []], ...signed ? { exclusiveMinimum: -bound } : { minimum: 0 }, exclusiveMaximum: bound },
    pattern: `^${signed ? '-?' : ''}\\d{1,${whole}}${places === 0 ? '' : `(\\.\\d{1,${places}})?`}$`
  }
}

/** Converts our schemas to standard JSON Schema. Schemas with a title become components, and others refer to them. */
export class Standard {
  /** Schemas by title. The first schema with a title wins. */
  readonly components: Record<string, Schema> = {}
  readonly #recursive = new Map<string, string>()

  /** The converted schema, or a reference to it if it has a title. */
  of (schema: Schema, place: SchemaUse = 'body'): Schema {
    const { title, $id, $ref } = schema as { title?: string, $id?: string, $ref?: string }
    if ($ref !== undefined) return { $ref: `#/components/schemas/${this.#recursive.get($ref)}` }
    if (title === undefined) return this.#converted(schema, place)
    if ($id !== undefined) this.#recursive.set($id, title)
    // Registered before the conversion, because it may refer to itself.
    if (!Object.hasOwn(this.components, title)) Object.assign(this.components[title] = {}, this.#converted(schema, place))
    return { $ref: `#/components/schemas/${title}` }
  }

  #converted (schema: Schema, place: SchemaUse): Schema {
    const { $id, title, nullable, properties, items, ...rest } = schema
    // Drops TypeBox's symbols.
    const result: Schema = Object.fromEntries(Object.entries(rest))
    for (const [keyword, standard] of Object.entries(ours)) {
      if (!Object.hasOwn(schema, keyword)) continue
      delete result[keyword]
      Object.assign(result, standard(schema[keyword], place, schema), schema['examples'] === undefined ? {} : { examples: schema['examples'] })
    }
    if (nullable === true) result['type'] = [result['type'], 'null'].flat()
    if (items !== undefined) result['items'] = this.of(items, place)
    if (properties !== undefined) result['properties'] = Object.fromEntries(Object.entries<Schema>(properties).map(([name, property]) => [name, this.of(property, place)]))
    for (const union of ['anyOf', 'oneOf', 'allOf']) if (result[union] !== undefined) result[union] = result[union].map((member: Schema) => this.of(member, place))
    return result
  }
}
