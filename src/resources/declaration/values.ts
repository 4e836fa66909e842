import type { Row } from '../../database/connection/sql.ts'
import type { Field, Fields } from './field.ts'

/** The names of fields whose values bodies can set, or `prepare`. */
type Given<F extends Fields> = { [K in keyof F]: [F[K]['given']] extends [never] ? never : K }[keyof F]

/** The names of fields whose values records have. */
type Kept<F extends Fields> = { [K in keyof F]: [F[K]['value']] extends [never] ? never : K }[keyof F]

/** The values that answers have of a record. */
export type ShownValues<F extends Fields> = { [K in Kept<F>]: F[K]['value'] }

/** What each record has besides its fields. */
interface Stamped { id: number, company: number, version: number, created_at: string, updated_at: string }

/** A record as its GET answers it. If the resource is not known, a row with any fields. */
export type RowOf<R> = R extends { fields: infer F extends Fields }
  ? string extends keyof F ? Row : ShownValues<F> & Stamped
  : Row

/** The values of a body. Fields that it does not have, or that their schema has refused, are undefined. */
export type BodyOf<F extends Fields> = { [K in Given<F>]?: F[K]['given'] }

/** The values of a record that bodies can set. */
export type RecordOf<F extends Fields> = { [K in Extract<Given<F>, Kept<F>>]: F[K]['value'] }

/** The references of a record, with the fields of the records that they refer to. */
export type Targets<F extends Fields> = { [K in keyof F & string as [F[K]['target']] extends [never] ? never : K]: F[K]['target'] }

/** What a field can name: the fields of its record, and `reference.field` for those of the records that it refers to. */
type Paths<F extends Fields> = (keyof F & string) | { [K in keyof F & string]: `${K}.${F[K]['target']}` }[keyof F & string]

/** Fields that name only fields that exist. */
export type Checked<F extends Fields> = { [K in keyof F]: Field<unknown, unknown, Paths<F>, string> }
