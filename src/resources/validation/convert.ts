import type { AnySchemaObject, ErrorObject } from 'ajv'
import { invisible } from '../../http/invisible.ts'
import { ExactNumber } from './exact-json.ts'

/** Limit in characters, as in Django REST Framework. No field accepts an integer of this length. */
const maxDigits = 1000

/** The largest id of a business record. JSON numbers are exact up to here. */
export const largestId = Number.MAX_SAFE_INTEGER

/** The largest id of a customer, company, user or membership: PostgreSQL's `int`. */
export const largestAccountId = 2_147_483_647

/**
 * Limit of Unicode's Stream-Safe Text Format (UAX #15): 30 combining marks in a row. Normalizing a run takes quadratic time: one minute for
 * 200,000 marks.
 */
const longRun = /(?<!\p{M})\p{M}{31}/u // the lookbehind keeps the search linear

/**
 * The form in which texts are stored and compared: without invisible characters, trimmed, NFC.
 * @returns undefined for more than 30 combining marks in a row
 */
export function plainText (text: string): string | undefined {
  // Invisible characters between marks would hide a long run.
  const visible = text.replace(invisible, '').trim()
  return longRun.test(visible) ? undefined : visible.normalize('NFC')
}

/**
 * Digits of an integer, without plus sign and leading zeros. Accepts `7`, `"7"` and `" +07 "`, as Python's `int` does.
 * @returns undefined for any other value
 */
export function wholeDigits (value: unknown): string | undefined {
  const source = sourceOf(value)
  const [, sign, written] = /^\s*([+-]?)(\d+)\s*$/.exec(source) ?? []
  if (written === undefined) return undefined
  const digits = written.replace(/^0+(?=\d)/, '')
  return sign === '-' && digits !== '0' ? `-${digits}` : digits
}

/** Like {@link wholeDigits}, but also accepts `7.0` and `"7."`, as Django REST Framework's `IntegerField` does. */
function integerDigits (value: unknown): string | undefined {
  return wholeDigits(sourceOf(value).replace(/\.0*\s*$/, ''))
}

/** Converts digits to a number, or to an {@link ExactNumber} beyond the safe integers. */
function wholeNumber (digits: string): number | ExactNumber {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : new ExactNumber(digits)
}

/** Converts an id of a path, query or body to a number. @returns 0, which no record has, for an invalid id (`0x1`, out of range) */
export function recordId (value: unknown): number {
  const id = typeof value === 'string' && !/^\d+$/.test(value) ? 0 : Number(value)
  return Number.isInteger(id) && id > 0 && id <= largestId ? id : 0
}

/** Source text of a number, or the text itself. Empty for other types and for texts longer than {@link maxDigits}. */
function sourceOf (value: unknown): string {
  const source = value instanceof ExactNumber ? value.source : typeof value === 'number' ? String(value) : value
  return typeof source === 'string' && source.length <= maxDigits ? source : ''
}

/** Converts a value to a type. Returns other values unchanged, so that the validator refuses them. */
type Adapter = (value: unknown) => unknown

const truths = new Set<unknown>(['t', 'y', 'yes', 'true', 'on', '1', 1])
const falsehoods = new Set<unknown>(['f', 'n', 'no', 'false', 'off', '0', 0])

// The conversions of Django REST Framework (rest_framework/fields.py, relations.py).

/** Converts a number to its source text: `1.50`. */
const text: Adapter = value => value instanceof ExactNumber ? value.source : typeof value === 'number' ? String(value) : value

function whole (digitsOf: (value: unknown) => string | undefined): Adapter {
  return function adaptWhole (value) {
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

const external = ofFields([['external_id', text]])

/** HTML forms send an empty text for no record. */
const reference: Adapter = value => value === '' ? null : external(id(value))

/** A text is always a name, even if it has only digits. */
const referenceByName: Adapter = value => typeof value === 'string' ? value : external(id(value))

/**
 * Creates a function that converts the values of a body or query to the types of its schema, in place.
 * @returns undefined if the schema needs no conversion
 */
export function converterOf (schema: AnySchemaObject): Adapter | undefined {
  const types: unknown[] = [schema['type']].flat()
  if (schema['references'] === true) return types.includes('string') ? referenceByName : reference
  switch (types[0]) {
    case 'object': return ofObject(schema['properties'] ?? {})
    case 'array': return ofArray(schema)
    case 'integer': return schema['digits'] === true ? id : integer
    case 'boolean': return boolean
    case 'string': return isForm(schema) ? undefined : text
    default: return undefined
  }
}

/** Whether the schema admits only texts that cannot be a number. */
function isForm (schema: AnySchemaObject): boolean {
  return ['enum', 'isDate', 'isInstant', 'isTimeZone', 'isUuid', 'isHash'].some(keyword => schema[keyword] !== undefined)
}

function isObject (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber)
}

function ofObject (properties: AnySchemaObject): Adapter | undefined {
  const fields = Object.entries<AnySchemaObject>(properties).flatMap(([field, schema]) => {
    const adapt = converterOf(schema)
    return adapt === undefined ? [] : [[field, adapt] as const]
  })
  return fields.length === 0 ? undefined : ofFields(fields)
}

function ofFields (fields: ReadonlyArray<readonly [string, Adapter]>): Adapter {
  return function adaptFields (value) {
    if (!isObject(value)) return value
    for (const [field, adapt] of fields) if (Object.hasOwn(value, field)) value[field] = adapt(value[field])
    return value
  }
}

/** Shortens a list that is too long to one item too many, so that its answer has one problem and not one per item. */
function ofArray ({ items = {}, maxItems = Infinity }: AnySchemaObject): Adapter | undefined {
  const adapt = converterOf(items)
  if (adapt === undefined && maxItems === Infinity) return undefined
  return function adaptItems (value) {
    if (!Array.isArray(value)) return value
    if (value.length > maxItems) value.length = maxItems + 1
    if (adapt !== undefined) for (const [index, item] of value.entries()) value[index] = adapt(item)
    return value
  }
}

/** Validates a value, collects all errors in `errors`, and converts the value to its canonical form. */
export interface Validator {
  (value: unknown): boolean
  errors?: ErrorObject[] | null
}

/** Adds the conversion of values to a validator. */
export function withConversion (check: Validator, convert: Adapter | undefined): Validator {
  const validator: Validator = (value) => {
    convert?.(value)
    const isRight = check(value)
    validator.errors = check.errors
    return isRight
  }
  return validator
}
