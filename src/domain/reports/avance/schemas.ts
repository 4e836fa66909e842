import { Type, type Static } from '@sinclair/typebox'
import { ListQuery, Paged } from '../../../resources/declaration/list-schemas.ts'
import { Day, Decimal } from '../../../resources/declaration/schemas.ts'

const { page, page_size: size, cursor, format } = ListQuery([], [], {}).properties

const Amount = (description: string, example: string) => Decimal(2, { description, examples: [example] })
const Percentage = (description: string, example: string) => (
  Type.Unsafe<string | null>({ ...Decimal(2, { description, examples: [example] }), nullable: true }))

/** A period of the report. */
export const Progress = Type.Object({
  hasta: Type.Unsafe<string>({ ...Day, description: 'Last day of the period.', examples: ['2026-02-28'] }),
  programado: Amount('Planned amount up to this day: the original programme, and the rows of signed change orders.', '600000.00'),
  ejecutado: Amount('Executed amount up to this day: `monto` of the authorized estimates.', '460000.00'),
  porcentaje_programado: Percentage('`programado` in percent of `monto` of the contract. Null if that is zero.', '66.67'),
  porcentaje_ejecutado: Percentage('`ejecutado` in percent of `monto` of the contract. Null if that is zero.', '51.11')
}, { title: 'Progress' })

/** The widths of the drawing in px: of a phone and of a large screen. */
const widths = { minimum: 320, maximum: 1920, default: 360 }

const Query = Type.Partial(Type.Object({
  page,
  page_size: size,
  cursor,
  format,
  width: Type.Integer({
    digits: true,
    minimum: widths.minimum,
    maximum: widths.maximum,
    description: `Width of the drawing in px. Its texts keep their size. Default: ${widths.default}, for a phone.`,
    examples: [960]
  })
}), { additionalProperties: false })

/** The parameters of the report. */
export type ProgressQuery = Static<typeof Query>

/** The width of the drawing, if the query has none. */
export const defaultWidth = widths.default

/** Schemas of the report. */
export const progressSchemas = { querystring: Query, response: { 200: Paged(Progress) } }
