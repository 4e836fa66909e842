import { isNotice, noticeOf } from '../http/deprecation.ts'
import type { DecimalForm } from '../resources/validation/keywords.ts'
import type { EnumNames } from './enums.ts'

/** A schema in JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type Schema = Record<string, any>

const emailLabel = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?'

/** The pattern of `isEmail` (src/resources/validation/formats.ts). */
const emailPattern = `^[\\w.!#$%&'*+/=?^\`{|}~-]{1,64}@(${emailLabel}\\.)+${emailLabel}$`

const moneyPattern = '^\\d{1,16}(\\.\\d{1,2})?$'
const percentagePattern = '^(100(\\.00?)?|\\d{1,2}(\\.\\d{1,2})?)$'

/** JSON Schema of our keywords (src/resources/validation/keywords.ts). If input has several forms, this is the form of answers. */
const ours: Record<string, (value: any, schema: Schema) => Schema> = {
  text: (_true, { minLength }) => ({ pattern: minLength === 1 ? '^\\s*[^\\s\\u0000][^\\u0000]*$' : '^[^\\u0000]*$' }),
  money: () => ({ type: 'string', pattern: moneyPattern, examples: ['1500.00'] }),
  percentage: () => ({ type: 'string', pattern: percentagePattern, examples: ['16.00'] }),
  decimal: (form: DecimalForm) => decimalSchema(form),
  isDate: () => ({ format: 'date', examples: ['2026-03-01'] }),
  isInstant: () => ({ format: 'date-time', examples: ['2026-03-01T15:04:05Z'] }),
  isTimeZone: () => ({ examples: ['America/Mexico_City'] }),
  isHash: () => ({ pattern: '^[0-9A-Fa-f]{64}$' }),
  isEmail: () => ({ pattern: `^$|${emailPattern}`, examples: ['obras@example.mx'] }),
  accountEmail: () => ({ format: 'email', pattern: emailPattern, examples: ['director@demo.example'] }),
  isUuid: () => ({ format: 'uuid' }),
  rfc: () => ({ pattern: '^[A-ZÑ&]{3,4}\\d{6}[A-Z0-9]{3}$', examples: ['XAXX010101000'] }),
  mediaType: () => ({}),
  list: () => ({ type: 'array' }),
  joined: () => ({}),
  digits: () => ({}),
  references: () => ({}),
  isId: () => ({}),
  sliced: () => ({})
}

/** A decimal with any number of places up to the field's own. */
function decimalSchema ({ whole, places, signed = false, nullable = false }: DecimalForm): Schema {
  const fraction = places === 0 ? '' : `(\\.\\d{1,${places}})?`
  return { type: nullable ? ['string', 'null'] : 'string', pattern: `^${signed ? '-?' : ''}\\d{1,${whole}}${fraction}$` }
}

/** Keywords of a value with several types, by type. */
const keywordsOf: Record<string, string[]> = {
  object: ['properties', 'required', 'additionalProperties'],
  string: ['minLength', 'maxLength', 'pattern'],
  integer: ['minimum', 'maximum'],
  null: []
}

/** Names of the objects that bodies can have in place of an id, by their property. */
const namesOfReferences: Record<string, string> = { external_id: 'ByExternalId', ref: 'ByRef' }

/**
 * Converts our schemas to standard JSON Schema. Schemas with a title become components, and others refer to them. So do the words of
 * enumerations that have a name.
 */
export class Standard {
  /** Schemas by title. The first schema with a title wins. */
  readonly components: Record<string, Schema> = {}
  readonly #recursive = new Map<string, string>()
  readonly #enums: EnumNames

  /** @param enums names of enumerations without a title, by their words */
  constructor (enums: EnumNames = new Map()) {
    this.#enums = enums
  }

  /** The converted schema, or a reference to it if it has a title. */
  of (schema: Schema): Schema {
    const { title, $id, $ref }: { title?: string, $id?: string, $ref?: string } = schema
    if ($ref !== undefined) return { $ref: `#/components/schemas/${this.#recursive.get($ref)}` }
    const words: readonly string[] | undefined = schema['enum']
    const name = words === undefined ? undefined : title ?? this.#nameOf(words)
    if (words !== undefined && name !== undefined) return this.#choice(schema, words, name)
    if (title === undefined) return this.#converted(schema)
    if ($id !== undefined) this.#recursive.set($id, title)
    // Registered before the conversion, because it may refer to itself.
    if (!Object.hasOwn(this.components, title)) Object.assign(this.components[title] = {}, this.#converted(schema))
    return { $ref: `#/components/schemas/${title}` }
  }

  #nameOf (words: readonly string[]): string | undefined {
    const known = this.#enums.get(words)
    if (known !== undefined) return known
    // TypeBox copies the schemas in a recursive one.
    return [...this.#enums].find(([others]) => String(others) === String(words))?.[1]
  }

  /** One of several words: a reference to the component of the words, with the description of this use. */
  #choice (schema: Schema, words: readonly string[], name: string): Schema {
    const known = this.components[name] ??= { type: 'string', enum: words }
    if (String(known['enum']) !== String(words)) throw new Error(`two enumerations are named ${name}`)
    const { type, enum: _words, title, nullable, ...others } = schema
    const reference = { $ref: `#/components/schemas/${name}` }
    const standard = Object.fromEntries(Object.entries(plain(others)).filter(([keyword]) => !Object.hasOwn(ours, keyword)))
    return { ...nullable === true ? orNull(reference) : reference, ...standard }
  }

  #converted (schema: Schema): Schema {
    const { $id, title, nullable, sentBack, properties, items, ...rest } = schema
    const result: Schema = plain(rest)
    for (const [keyword, standard] of Object.entries(ours)) {
      if (!Object.hasOwn(schema, keyword)) continue
      delete result[keyword]
      Object.assign(result, standard(schema[keyword], schema))
      if (schema['examples'] !== undefined) result['examples'] = schema['examples']
    }
    if (nullable === true && sentBack !== true) result['type'] = [result['type'], 'null'].flat()
    if (items !== undefined) result['items'] = this.of(items)
    if (typeof rest['additionalProperties'] === 'object') result['additionalProperties'] = this.of(rest['additionalProperties'])
    if (properties !== undefined) {
      // Bodies accept read-only fields and ignore them, so they do not refuse further fields in the document.
      const entries = Object.entries<Schema>(properties)
      const given = entries.filter(([, { readOnly }]) => readOnly !== true)
      if (given.length < entries.length) delete result['additionalProperties']
      result['properties'] = Object.fromEntries(given.map(([name, property]) => [name, this.of(property)]))
    }
    for (const union of ['anyOf', 'oneOf', 'allOf']) {
      if (result[union] !== undefined) result[union] = result[union].map((member: Schema) => this.of(member))
    }
    return [result['type']].flat().length > 1 && [result['type']].flat().includes('object') ? this.#union(result) : result
  }

  /** A union of an object and other types, each with its own keywords. Generators mix the keywords of several types. */
  #union ({ type, ...rest }: Schema): Schema {
    const own = new Set(Object.values(keywordsOf).flat())
    const members = type.map((one: string) => {
      const keywords = Object.entries(rest).filter(([keyword]) => keywordsOf[one]?.includes(keyword))
      return this.#named({ type: one, ...Object.fromEntries(keywords) })
    })
    const others = Object.entries(rest).filter(([keyword]) => !own.has(keyword))
    return { anyOf: members, ...Object.fromEntries(others) }
  }

  #named (member: Schema): Schema {
    const name = namesOfReferences[Object.keys(member['properties'] ?? {}).join()]
    if (name === undefined) return member
    this.components[name] ??= member
    return { $ref: `#/components/schemas/${name}` }
  }
}

/** The same value or null. */
function orNull (schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] }
}

/** A copy without TypeBox's symbols, whose description has the notice of a deprecation. */
function plain (schema: Schema): Schema {
  const { deprecated, description } = schema
  const copy = Object.fromEntries(Object.entries(schema))
  if (!isNotice(deprecated)) return copy
  return { ...copy, deprecated: true, description: [description, noticeOf(deprecated)].filter(Boolean).join(' ') }
}
