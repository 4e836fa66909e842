import { p } from '@mikro-orm/core'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { percentage as percentageType } from '../../database/schema/types.ts'
import { idType } from '../../database/turns/batch-requests.ts'
import {
  AccountId, AccountReferenceInput, Choice, Day, DayInput, EmailInput, Id, Instant, NewPassword, Percentage, PercentageInput,
  ReferenceInput, Text, UuidInput
} from './schemas.ts'
import { usualZone } from '../validation/time-zone.ts'
import { Field } from './field.ts'
import type { FieldOf, ReferenceTarget } from './field-spec.ts'

/** Limit of the texts by which bodies can refer to records, in characters: the longest such text, a counterparty's name. */
const longestName = 250

/** Text of up to `maxLength` characters. Blank text is refused unless the default is `''`. */
export function text (maxLength: number): Field<string> {
  const property = () => p.string().length(maxLength)
  return new Field({ type: 'text', property, shown: Type.String(), input: Text({ maxLength }), query: Type.String({ text: true }) })
}

/** One of several words, in a column of `length` characters. */
export function choice<const W extends readonly string[]> (words: W, length = 16): Field<W[number]> {
  const schema = Choice(words)
  const property = () => p.string().length(length)
  const check = (column: string) => `${column} in ('${words.join("', '")}')`
  return new Field({ type: 'text', property, check, shown: schema, input: schema, query: schema })
}

/**
 * One of several media types, in a column of `length` characters. Bodies and filters can have parameters and capitals.
 * @param otherNames further names of the types
 */
export function mediaType<const W extends readonly string[]> (
  types: W, otherNames: Record<string, W[number]>, length: number
): Field<W[number]> {
  const field = choice(types, length)
  const input = Choice(types, { mediaType: otherNames })
  return new Field({ ...field.spec, input, query: input })
}

/** A percentage from `"0.00"` to `"100.00"`. */
export function percentage (): Field<string> {
  const property = () => p.type(percentageType).$type<string>()
  return new Field({
    type: 'numeric', property, check: column => `${column} >= 0 and ${column} <= 100`, shown: Percentage, input: PercentageInput
  })
}

/** A date, `YYYY-MM-DD`. */
export function day (): Field<string> {
  return new Field({ type: 'date', property: () => p.date(), shown: Day, input: DayInput, query: DayInput })
}

/** A UUID, in lower case. */
export function uuid (): Field<string> {
  return new Field({ type: 'uuid', property: () => p.uuid(), shown: Type.String({ isUuid: true }), input: UuidInput, query: UuidInput })
}

export function boolean (): Field<boolean> {
  return new Field({ type: 'boolean', property: () => p.boolean(), shown: Type.Boolean(), input: Type.Boolean(), query: Type.Boolean() })
}

/** A small integer from `minimum` to `maximum`. */
export function level (minimum: number, maximum: number): Field<number> {
  const levels = Array.from({ length: maximum - minimum + 1 }, (_, index) => minimum + index)
  return new Field({
    type: 'int',
    property: () => p.smallint(),
    check: between(minimum, maximum),
    shown: Type.Integer(),
    input: Type.Integer({ minimum, maximum }),
    query: Type.String({ digits: true, pattern: `^[${levels.join('')}]$` })
  })
}

/** An integer from `minimum` to `maximum`, both within PostgreSQL's `int`. */
export function integer (minimum: number, maximum: number): Field<number> {
  const isSmall = minimum >= -32_768 && maximum <= 32_767
  const property = () => isSmall ? p.smallint() : p.integer()
  const schema = Type.Integer({ minimum, maximum })
  const query = Type.Integer({ digits: true, minimum, maximum })
  return new Field({ type: 'int', property, check: between(minimum, maximum), shown: schema, input: schema, query })
}

/** The check that a column is within bounds. */
function between (minimum: number, maximum: number): (column: string) => string {
  return column => `${column} >= ${minimum} and ${column} <= ${maximum}`
}

/** A time: ISO 8601 with microseconds, UTC. Bodies accept other offsets. A time without one is in the company's time zone. */
export function instant (): Field<string> {
  const input = Type.String({ isInstant: true })
  return new Field({ type: 'timestamptz', property: () => p.datetime(6).$type<string>(), shown: Instant, input, query: input })
}

/** The name of a time zone in the IANA database. */
export function timeZone (): Field<string> {
  const input = Type.String({ isTimeZone: true })
  return new Field({ type: 'text', property: () => p.string().length(64), shown: Type.String({ examples: [usualZone] }), input })
}

/** A SHA-256 hash: 64 hexadecimal digits, lower case in answers. */
export function hash (): Field<string> {
  const example = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const input = Type.String({ isHash: true, examples: [example] })
  return new Field({
    type: 'text',
    property: () => p.string().length(64),
    check: column => `${column} ~ '^[0-9a-f]{64}$'`,
    shown: Type.String({ pattern: '^[0-9a-f]{64}$', examples: [example] }),
    input,
    query: input
  })
}

/**
 * Some of these words: a list in JSON, a comma-separated text in the column, which is empty for the default.
 * @param usual the words of the default
 */
export function choices (name: string, words: readonly string[], usual: readonly string[]): Field<string> {
  const schema = { minItems: 1, items: Choice(words) }
  return new Field({
    type: 'text',
    property: () => p.text(),
    fallback: '',
    shown: Type.Array(schema.items, schema),
    input: Type.Unsafe<string>({ type: 'array', ...schema, maxItems: 100, joined: { usual } }),
    sql: wordsOf(`t.${name}`, usual)
  })
}

/** SQL of the words in a column of {@link choices}, as an array. @param usual the words of the default */
export function wordsOf (column: string, usual: readonly string[]): string {
  return `string_to_array(coalesce(nullif(${column}, ''), '${usual.join()}'), ',')`
}

/** A text that `prepare` sets, and that is not part of answers. */
export function internal (): Field<string> {
  return new Field({ type: 'text', isInternal: true, property: () => p.text().lazy().hidden() })
}

/** A text with a format that the schema checks. */
export function formatted (maxLength: number, schema: object, shown: object = {}): Field<string> {
  const property = () => p.string().length(maxLength)
  return new Field({ type: 'text', property, shown: Type.String(shown), input: Type.String(schema), query: Type.String(schema) })
}

/** An id in a query. */
const idQuery = Type.String({ digits: true, pattern: '^[0-9]+$' })

/** A reference to a record of the same company by id, by `{"external_id": …}` or, with `byName`, also by the exact value of that column. */
export function reference<R extends ReferenceTarget | 'self'> (resource: R): Field<number, number, never, FieldOf<R>>
export function reference<R extends ReferenceTarget | 'self'> (
  resource: R, byName: FieldOf<R>
): Field<number, number | string, never, FieldOf<R>>
export function reference (resource: ReferenceTarget | 'self', byName?: string): Field<number, number | string, never, string> {
  if (byName === undefined) return new Field({ type: idType, reference: { resource }, shown: Id, input: ReferenceInput(), query: idQuery })
  const schema = { text: true, minLength: 1 }
  const input = ReferenceInput(['string'], { ...schema, maxLength: longestName })
  return new Field({ type: idType, reference: { resource, byName }, shown: Type.String(), input, query: Type.String(schema) })
}

/** A reference to an account record, by id. */
export function accountReference<R extends ReferenceTarget> (resource: R): Field<number, number, never, FieldOf<R>> {
  return new Field({ type: 'int', reference: { resource }, shown: AccountId, input: AccountReferenceInput, query: idQuery })
}

/** A computed value without a column: SQL over `t` and the resource's joins. */
export function computed<S extends TSchema> (shown: S, sql: string): Field<Static<S>, never> {
  return new Field({ type: '', shown, sql })
}

/** The email address of an account. */
export function accountEmail (): Field<string> {
  const property = () => p.string().length(254).unique('users_email_unique')
  return new Field({
    type: 'text', property, check: column => `${column} = lower(${column})`, shown: Type.String(), input: EmailInput, query: EmailInput
  })
}

/** A password: a new one by default, or with a description one to verify. The column contains the hash. */
export function password (description?: string, example?: string): Field<string> {
  const input = description === undefined
    ? NewPassword
    : Type.String({ minLength: 1, maxLength: 1024, writeOnly: true, description, examples: [example] })
  return new Field({ type: 'text', property: () => p.string().length(255).lazy().hidden(), input })
}
