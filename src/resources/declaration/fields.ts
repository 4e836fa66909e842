import { p } from '@mikro-orm/core'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { percentage as percentageType } from '../../database/schema/types.ts'
import {
  AccountId, AccountReferenceInput, Choice, Day, DayInput, EmailInput, Id, Instant, NewPassword, Percentage, PercentageInput, ReferenceInput, Text, UuidInput
} from './schemas.ts'
import { idType, largestId } from './conditions.ts'
import { Field, type ReferenceTarget } from './field.ts'

/** Limit of the texts by which bodies can refer to records, in characters: the longest such text, a counterparty's name. */
const longestName = 250

/** Text of up to `maxLength` characters. Blank text is refused unless the default is `''`. */
export function text (maxLength: number): Field<string> {
  return new Field({ type: 'text', property: () => p.string().length(maxLength), shown: Type.String(), input: Text({ maxLength }), query: Type.String({ text: true }) })
}

/** One of several words, in a column of `length` characters. */
export function choice<const W extends readonly string[]> (words: W, length = 16): Field<W[number]> {
  const schema = Choice(words)
  return new Field({ type: 'text', property: () => p.string().length(length), check: column => `${column} in ('${words.join("', '")}')`, shown: schema, input: schema, query: schema })
}

/** A percentage from `"0.00"` to `"100.00"`. */
export function percentage (): Field<string> {
  return new Field({ type: 'numeric', property: () => p.type(percentageType).$type<string>(), check: column => `${column} >= 0 and ${column} <= 100`, shown: Percentage, input: PercentageInput })
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
  return new Field({ type: 'int', property: () => p.smallint(), check: column => `${column} >= ${minimum} and ${column} <= ${maximum}`, shown: Type.Integer(), input: Type.Integer({ minimum, maximum }), query: Type.String({ digits: true, pattern: `^[${Array.from({ length: maximum - minimum + 1 }, (_, index) => minimum + index).join('')}]$` }) })
}

/** An integer from `minimum` to `maximum`, both within PostgreSQL's `int`. */
export function integer (minimum: number, maximum: number): Field<number> {
  const isSmall = minimum >= -32_768 && maximum <= 32_767
  const schema = Type.Integer({ minimum, maximum })
  return new Field({ type: 'int', property: () => isSmall ? p.smallint() : p.integer(), check: column => `${column} >= ${minimum} and ${column} <= ${maximum}`, shown: schema, input: schema, query: Type.Integer({ digits: true, minimum, maximum }) })
}

/** A time: ISO 8601 with microseconds, UTC. Bodies accept other offsets. */
export function instant (): Field<string> {
  const input = Type.String({ isTime: true })
  return new Field({ type: 'timestamptz', property: () => p.datetime(6).$type<string>(), shown: Instant, input, query: input })
}

/** A SHA-256 hash: 64 hexadecimal digits, lower case in answers. */
export function hash (): Field<string> {
  const example = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const input = Type.String({ isHash: true, examples: [example] })
  return new Field({ type: 'text', property: () => p.string().length(64), check: column => `${column} ~ '^[0-9a-f]{64}$'`, shown: Type.String({ pattern: '^[0-9a-f]{64}$', examples: [example] }), input, query: input })
}

/**
 * Some of these words: a list in JSON, a comma-separated text in the column, which is empty for the default.
 * @param usual the words of the default
 */
export function choices (name: string, words: readonly string[], usual: readonly string[]): Field<string> {
  const schema = { minItems: 1, items: Choice(words) }
  return new Field<string>({
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
  return new Field({ type: 'text', property: () => p.string().length(maxLength), shown: Type.String(shown), input: Type.String(schema), query: Type.String(schema) })
}

/** A reference to a record of the same company by id or, with `byName`, also by the exact value of that column. */
export function reference (resource: ReferenceTarget | 'self', byName?: string): Field<number> {
  const query = byName === undefined ? Type.String({ digits: true, pattern: '^[0-9]+$' }) : Type.String({ text: true, minLength: 1 })
  const input = byName === undefined ? ReferenceInput : Type.Unsafe<number | string>({ type: ['integer', 'string'], text: true, minLength: 1, maxLength: longestName, references: true, minimum: 1, maximum: largestId })
  return new Field({ type: idType, reference: { resource, ...byName === undefined ? {} : { byName } }, shown: byName === undefined ? Id : Type.String(), input, query })
}

/** A reference to an account record, by id. */
export function accountReference (resource: ReferenceTarget): Field<number> {
  return new Field({ type: 'int', reference: { resource }, shown: AccountId, input: AccountReferenceInput, query: Type.String({ digits: true, pattern: '^[0-9]+$' }) })
}

/** A computed value without a column: SQL over `t` and the resource's joins. */
export function computed<S extends TSchema> (shown: S, sql: string): Field<Static<S>> {
  return new Field({ type: '', shown, sql })
}

/** The email address of an account. */
export function accountEmail (): Field<string> {
  const property = () => p.string().length(254).unique('users_email_unique')
  return new Field({ type: 'text', property, check: column => `${column} = lower(${column})`, shown: Type.String(), input: EmailInput, query: EmailInput })
}

/** A password: a new one by default, or with a description one to verify. The column contains the hash. */
export function password (description?: string, example?: string): Field<string> {
  const input = description === undefined ? NewPassword : Type.String({ minLength: 1, maxLength: 1024, writeOnly: true, description, examples: [example] })
  return new Field({ type: 'text', property: () => p.string().length(255).lazy().hidden(), input })
}
