import { Type, type Static, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import { largestAccountId, largestId } from '../validation/convert.ts'

/** A schema for the same value or null. Not a union, which would serialize more slowly and could coerce values to null. */
export function Nullable<T extends TSchema> (schema: T, options: object = {}) {
  return Type.Unsafe<Static<T> | null>({ ...schema, nullable: true, ...options })
}

/** One of several words. */
export function Choice<const T extends readonly string[]> (words: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options })
}

/** Text in a body, in its plain form, without NUL. Lengths apply afterwards, so `minLength: 1` refuses blank text. */
export function Text (options: { minLength?: number, maxLength: number, description?: string, examples?: string[] }) {
  return Type.String({ text: true, ...options })
}

/** An amount of money in a body: a decimal string or JSON number with two decimals and 16 integer digits, converted to a string. */
export const MoneyInput = Type.Unsafe<string>({ money: true })

/** An amount of money in an answer: a decimal string with two decimals. */
export const Money = Type.String({ pattern: '^\\d+\\.\\d{2}$', examples: ['1500.00'] })

/** A computed decimal in an answer. It can be negative, and have more digits than one in a body. */
export function Decimal (places: number, options: object = {}) {
  return Type.String({ pattern: `^-?\\d+\\.\\d{${places}}$`, ...options })
}

/** A computed amount of money in an answer. */
export const Amount = Decimal(2)

/** A percentage in a body: a decimal string or JSON number from 0 to 100 with two decimals, converted to a string. */
export const PercentageInput = Type.Unsafe<string>({ percentage: true })

/** A percentage in an answer: a decimal string with two decimals, `"0.00"` to `"100.00"`. */
export const Percentage = Type.String({ pattern: '^\\d{1,3}\\.\\d{2}$', examples: ['16.00'] })

/** A date, `YYYY-MM-DD`, in a body. Not a JSON Schema format, because its error would not name the problem. */
export const DayInput = Type.String({ isDate: true })

/** A date, `YYYY-MM-DD`, in an answer. */
export const Day = Type.String({ isDate: true, examples: ['2026-03-01'] })

/** A UUID in a body, converted to lower case. */
export const UuidInput = Type.String({ isUuid: true, examples: ['6128396f-c09b-4ec6-8699-43c5f7e3b230'] })

/** A time in an answer: ISO 8601, UTC, `Z`. */
export const Instant = Type.String({ isInstant: true, examples: ['2026-03-01T15:04:05.123456Z'] })

/** The id of a business record. */
export const Id = Type.Integer({ minimum: 1, maximum: largestId, examples: [7] })

/** The id of a customer, company, user or membership. */
export const AccountId = Type.Integer({ ...Id, maximum: largestAccountId })

/** Fields of every record about its changes. */
export const Past = {
  created_at: Type.String({ ...Instant, description: 'Time of creation.' }),
  updated_at: Type.String({ ...Instant, description: 'Time of the last change.' }),
  version: Type.Integer({ minimum: 1, description: 'Version, which grows with each change of the record.', examples: [3] })
}

/**
 * A reference to another business record, in a body: its id, or its id in another system as `{"external_id": …}`.
 * @param others further types, with their keywords
 */
export function ReferenceInput (others: readonly string[] = [], keywords: object = {}) {
  const properties = {
    external_id: Text({
      minLength: 1, maxLength: 128, description: '`external_id` of the record, in place of its id.', examples: ['ERP-4711']
    })
  }
  return Type.Unsafe<number>({
    type: ['integer', ...others, 'object'],
    ...keywords,
    references: true,
    minimum: 1,
    maximum: largestId,
    properties,
    required: ['external_id'],
    additionalProperties: false
  })
}

/** The id of another account record, in a body. */
export const AccountReferenceInput = Type.Integer({ minimum: 1, maximum: largestAccountId, references: true })

/** A field of answers that bodies can send back. It is ignored. */
export const ReadOnly = Type.Unknown({ readOnly: true, description: 'Read-only. Accepted and ignored.' })

/** The company of a record, in a body. It cannot be changed, so another company is refused. */
const ActiveCompany = Type.Unknown({ readOnly: true, description: 'Read-only. If sent, it must be the active company.' })

/** The id of another record, in a query. */
export const ReferenceQuery = Type.String({ digits: true, pattern: '^[0-9]+$', description: 'Id of the record.', examples: ['7'] })

/** The email address of an account: trimmed, lower case. */
export const EmailInput = Type.String({ accountEmail: true, minLength: 1, maxLength: 254 })

/** A new password, not trimmed. */
export const NewPassword = Type.String({
  minLength: 8,
  maxLength: 1024,
  writeOnly: true,
  description: 'New password. Leading and trailing spaces count.',
  examples: ['a longer pass phrase']
})

/**
 * The schema of a body: `required` and `optional` fields, and the record's other fields, which can be sent back and are ignored. Unknown
 * fields are refused.
 * @param options `alsoShown` are fields of the record in other answers
 */
export function Body (required: TProperties, optional: TProperties, record: TObject, { alsoShown = [], ...options }: {
  alsoShown?: readonly string[], title?: string, examples?: object[]
} = {}) {
  const shown = [...Object.keys(record.properties), ...alsoShown].map(field =>
    [field, field === 'company' ? ActiveCompany : ReadOnly] as const)
  const given = { ...Object.fromEntries(shown), ...optional }
  const fields = Object.entries(given).filter(([field]) => !Object.hasOwn(required, field)).map(([field, schema]) =>
    [field, Type.Optional(schema)] as const)
  const all = Object.entries({ ...required, ...Object.fromEntries(fields) })
    .map(([field, schema]) => [field, described(schema, record.properties[field])] as const)
  return Type.Object(Object.fromEntries(all), { ...options, additionalProperties: false })
}

/** An input without its own description gets that of the record's field. */
function described (input: TSchema, shown: TSchema | undefined): TSchema {
  const { description, examples } = shown ?? {}
  return { ...description === undefined ? {} : { description }, ...examples === undefined ? {} : { examples }, ...input }
}
