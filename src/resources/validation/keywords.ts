import type { Ajv, AnySchemaObject, FuncKeywordDefinition, SchemaValidateFunction } from 'ajv'
import type { MessageValues } from '../../http/messages.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import { plainText, wholeDigits } from './convert.ts'
import { normalizeEmail } from './email.ts'
import { ExactNumber, longestCharacter } from './exact-json.ts'
import { canonicalDate, canonicalHash, canonicalInstant, canonicalUuid, isEmail } from './formats.ts'
import { isRfc, normalizeRfc } from './rfc.ts'
import { canonicalZone } from './time-zone.ts'

/** Error of one of our keywords: message and values. */
interface Refusal {
  key: ProblemKey
  values?: MessageValues
}

/** Returns the normalized value, or why it is refused. */
type Normalizer<V = unknown, K = unknown> = (value: V, keyword: K, schema: AnySchemaObject) => { value: unknown } | Refusal

/** Creates a keyword that normalizes a value before other keywords check it. */
function normalizing<V, K> (keyword: string, normalize: Normalizer<V, K>, type?: 'string' | 'array'): FuncKeywordDefinition {
  const validate: SchemaValidateFunction = (schema, data, parent, context) => {
    const outcome = normalize(data, schema, parent ?? {})
    if ('key' in outcome) {
      validate.errors = [{ keyword, message: outcome.key, params: outcome }]
      return false
    }
    if (context !== undefined) context.parentData[context.parentDataProperty] = outcome.value
    return true
  }
  return {
    keyword,
    type,
    before: type === 'string' ? 'maxLength' : undefined,
    schemaType: ['boolean', 'object'],
    modifying: true,
    errors: true,
    validate
  }
}

/** Normalizes text to its plain form. Refuses NUL and lone surrogates. */
function text (value: string, _keyword: unknown, { maxLength = Infinity }: AnySchemaObject): ReturnType<Normalizer> {
  if (value.includes('\0')) return { key: 'nullCharacter' }
  if (!value.isWellFormed()) return { key: 'notString' }
  const trimmed = value.trim()
  if (trimmed.length > longestCharacter * maxLength) return { key: 'maxLength', values: { max_length: maxLength } }
  const normal = plainText(trimmed)
  return normal === undefined ? { key: 'combiningMarks' } : { value: normal }
}

/** The decimals that a field accepts: their integer digits and places. */
export interface DecimalForm {
  whole: number
  places: number
  /** The places that are always shown. Default: all. */
  shown?: number
  signed?: boolean
  /** Whether bodies can send back a negative value. A rule refuses others, and the document has none. */
  echoed?: boolean
  nullable?: boolean
}

/** A decimal from a string or a JSON number. The result is a string with all places and never rounded. */
function decimal (
  value: unknown, { whole, places, shown = places, signed = false, echoed = false, nullable = false }: DecimalForm
): ReturnType<Normalizer> {
  if (value === null && nullable) return { value }
  const source = sourceOf(value)
  const match = /^(-?)0*((?:[1-9]\d*)?)(?:\.(\d+))?$/.exec(source)
  if (match === null || !/\d/.test(source) || /\.$|^-?\./.test(source)) return { key: 'notNumber' }
  const [, sign, digits, given = ''] = match
  if (given.length > places) return { key: 'maxDecimalPlaces', values: { max_decimal_places: places } }
  if (digits.length > whole) return { key: 'maxWholeDigits', values: { max_whole_digits: whole } }
  let end = given.length
  while (end > shown && given[end - 1] === '0') end--
  const fraction = given.slice(0, end).padEnd(shown, '0')
  const amount = `${digits === '' ? '0' : digits}${fraction === '' ? '' : `.${fraction}`}`
  if (sign !== '-' || !/[1-9]/.test(amount)) return { value: amount }
  return signed || echoed ? { value: `-${amount}` } : { key: 'minValue', values: { min_value: 0 } }
}

/** The text of a number, or an empty one. */
function sourceOf (value: unknown): string {
  if (value instanceof ExactNumber) return value.source
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.trim() : ''
}

/** The form of an amount of money. */
export const moneyForm: DecimalForm = { whole: 16, places: 2 }

/** A percentage: a decimal from 0 to 100. */
function percentage (value: unknown): ReturnType<Normalizer> {
  const outcome = decimal(value, moneyForm)
  if ('key' in outcome || /^(\d\d?\.\d\d|100\.00)$/.test(String(outcome.value))) return outcome
  return { key: 'maxValue', values: { max_value: 100 } }
}

function read (canonical: (text: string) => string | undefined, key: ProblemKey): Normalizer<string> {
  return (text) => {
    const value = canonical(text.trim())
    return value === undefined ? { key } : { value }
  }
}

/** Normalizes a Mexican tax id. */
function rfc (text: string): ReturnType<Normalizer> {
  const value = normalizeRfc(text)
  return value !== undefined && isRfc(value) ? { value } : { key: 'notRfc' }
}

/**
 * A media type (RFC 9110, 8.3.1) without parameters, in lower case. Unknown types are left to `enum`.
 * @param otherNames further names of types
 */
function mediaType (text: unknown, otherNames: Record<string, string>): ReturnType<Normalizer> {
  if (typeof text !== 'string') return { value: text }
  const [bare = ''] = text.split(';', 1)
  const name = bare.trim().toLowerCase()
  return { value: (Object.hasOwn(otherNames, name) ? otherNames[name] : undefined) ?? name }
}

/** Normalizes the email address of an account. Blank text is left to `minLength`. */
function accountEmail (text: string): ReturnType<Normalizer> {
  const value = normalizeEmail(text)
  return value !== undefined && (value === '' || isEmail(value)) ? { value } : { key: 'notEmail' }
}

/** The words of a valid list as comma-separated text, in the order of their `enum`. The words of the default are an empty text. */
const joined: Normalizer<string[], { usual: string[] }> = (value, { usual }, { items: { enum: words } }) => {
  const text = words.filter((word: string) => value.includes(word)).join(',')
  return { value: text === usual.join(',') ? '' : text }
}

const list: Normalizer<string> = value => ({ value: value.split(',').map((part: string) => part.trim()).filter(Boolean) })

/**
 * Adds our keywords to those of JSON Schema. Their value is `true`, except those of `decimal`, a {@link DecimalForm}, `joined` and
 * `mediaType`.
 * - `text`: see above; `isDate`, `isInstant`: `YYYY-MM-DD`, and a date with time; `isHash`: 64 hexadecimal digits
 * - `money`, `percentage`: numbers with two decimals; `isEmail` (or blank), `accountEmail` (the same in lower case), `isUuid`, `rfc`,
 *   `isTimeZone`
 * - `list`: converts comma-separated text to an array; `joined`: the opposite, for a list of words; its `usual` are those of the default
 * - `mediaType`: converts a media type to one of its `enum`; its value are the names of others
 * - `digits`: for a text, normalizes an integer before its `pattern` applies; for an integer, admits only digits (`7`, not `7.0`)
 */
export function addKeywords (ajv: Ajv): Ajv {
  ajv.addKeyword(normalizing('text', text, 'string'))
  ajv.addKeyword(normalizing('isDate', read(canonicalDate, 'notDate'), 'string'))
  ajv.addKeyword(normalizing('isInstant', read(canonicalInstant, 'notInstant'), 'string'))
  ajv.addKeyword(normalizing('isHash', read(canonicalHash, 'notHash'), 'string'))
  ajv.addKeyword(normalizing('money', value => decimal(value, moneyForm)))
  ajv.addKeyword(normalizing('percentage', percentage))
  ajv.addKeyword(normalizing('decimal', decimal))
  ajv.addKeyword(normalizing('isEmail', read(text => text === '' || isEmail(text) ? text : undefined, 'notEmail'), 'string'))
  ajv.addKeyword(normalizing('isUuid', read(canonicalUuid, 'notUuid'), 'string'))
  ajv.addKeyword(normalizing('isTimeZone', read(canonicalZone, 'notTimeZone'), 'string'))
  ajv.addKeyword(normalizing('accountEmail', accountEmail, 'string'))
  ajv.addKeyword(normalizing('rfc', rfc, 'string'))
  ajv.addKeyword({ ...normalizing('mediaType', mediaType), before: 'enum' })
  ajv.addKeyword(normalizing('list', list, 'string'))
  ajv.addKeyword(normalizing('joined', joined, 'array'))
  ajv.addKeyword(normalizing('digits', value => ({ value: wholeDigits(value) ?? value }), 'string'))
  return ajv
}
