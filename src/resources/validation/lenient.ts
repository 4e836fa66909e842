import { ExactNumber } from './exact-json.ts'
import { integerDigits, wholeDigits, wholeNumber } from './whole.ts'

/** Converts a value to a type, or returns it unchanged for the validator to refuse. */
type Adapter = (value: unknown) => unknown

type Schema = Record<string, any>

const truths = new Set<unknown>(['t', 'y', 'yes', 'true', 'on', '1', 1])
const falsehoods = new Set<unknown>(['f', 'n', 'no', 'false', 'off', '0', 0])

// The conversions of Django REST Framework (rest_framework/fields.py, relations.py).

/** A number becomes its source text: `1.50`. */
const text: Adapter = value => value instanceof ExactNumber ? value.source : typeof value === 'number' ? String(value) : value

function whole (digitsOf: (value: unknown) => string | undefined): Adapter {
  return (value) => {
    const digits = digitsOf(value)
    return digits === undefined ? value : wholeNumber(digits)
  }
}

const integer = whole(integerDigits)
const id = whole(wholeDigits)

const boolean: Adapter = (value) => {
  const plain = value instanceof ExactNumber ? Number(value.source) : typeof value === 'string' ? value.toLowerCase() : value
  return truths.has(plain) || (falsehoods.has(plain) ? false : value)
}

/** HTML forms send an empty text for no record. */
const reference: Adapter = value => value === '' ? null : id(value)

/** A text is always a name, even if it has only digits. */
const referenceByName: Adapter = value => typeof value === 'string' ? value : id(value)

/**
 * Makes a function that converts the values of a body or query to the types of its schema, in place.
 * @returns undefined if the schema needs no conversion
 */
export function converterOf (schema: Schema): Adapter | undefined {
  const types: unknown[] = [schema['type']].flat()
  if (schema['references'] === true) return types.includes('string') ? referenceByName : reference
  switch (types[0]) {
    case 'object': return ofObject(schema['properties'] ?? {})
    case 'array': return ofArray(schema['items'] ?? {})
    case 'integer': return integer
    case 'boolean': return boolean
    case 'string': return isForm(schema) ? undefined : text
    default: return undefined
  }
}

/** Whether the schema admits only texts of a form that no number has. */
function isForm (schema: Schema): boolean {
  return ['enum', 'isDate', 'isInstant', 'isUuid'].some(keyword => schema[keyword] !== undefined)
}

function ofObject (properties: Schema): Adapter | undefined {
  const fields = Object.entries<Schema>(properties).flatMap(([field, schema]) => {
    const adapt = converterOf(schema)
    return adapt === undefined ? [] : [[field, adapt] as const]
  })
  if (fields.length === 0) return undefined
  return (value) => {
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value
    const record = value as Record<string, unknown>
    for (const [field, adapt] of fields) if (Object.hasOwn(record, field)) record[field] = adapt(record[field])
    return value
  }
}

function ofArray (items: Schema): Adapter | undefined {
  const adapt = converterOf(items)
  if (adapt === undefined) return undefined
  return (value) => {
    if (!Array.isArray(value)) return value
    for (const [index, item] of value.entries()) value[index] = adapt(item)
    return value
  }
}
