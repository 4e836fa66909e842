import { Type, type Static } from '@sinclair/typebox'
import { ListQuery, Paged } from '../../../resources/declaration/list-schemas.ts'
import { Decimal } from '../../../resources/declaration/schemas.ts'
import { conceptos } from '../../conceptos/resource.ts'

const { page, page_size: size, cursor, format } = ListQuery([], [], {}).properties

const Quantity = (description: string, example: string) => Decimal(4, { description, examples: [example] })
const Importe = (description: string, example: string) => Decimal(2, { description, examples: [example] })

/** Fields of the concept that the report repeats. */
const { convenio, clave, capitulo, descripcion, unidad, alzado, cantidad, precio_unitario: price } = conceptos.schemas.item.properties

/** A line of the report. */
export const EstimateLine = Type.Object({
  concepto: Type.Integer({ minimum: 1, description: 'Id of the concept.', examples: [1] }),
  convenio,
  clave,
  capitulo,
  descripcion,
  unidad,
  alzado,
  cantidad,
  precio_unitario: price,
  generadores: Type.Integer({ minimum: 0, description: 'Number of `generadores` of the line.', examples: [2] }),
  cantidad_vigente: Quantity('Quantity in force of all rows with this `clave`.', '480.0000'),
  anterior: Quantity(
    'Quantity in the earlier estimates. An earlier estimate is authorized, and has a lower `numero`. ' +
      'If this estimate is authorized, the earlier estimate was authorized before this one.',
    '123.5430'
  ),
  periodo: Quantity('Quantity in this estimate.', '350.0000'),
  acumulada: Quantity('`anterior + periodo`.', '473.5430'),
  excedente: Quantity(
    'How much `acumulada` of all rows with this `clave` is above `cantidad_vigente`. ' +
      'The first row of the `clave` with a line in this estimate has this value. If no row of the `clave` has a line, ' +
      'the first row of the `clave` has this value. The other rows have `0.0000`, so that the column has a sum.',
    '0.0000'
  ),
  importe_anterior: Importe(
    'Amount in the earlier estimates. An earlier estimate is authorized, and has a lower `numero`. ' +
      'If this estimate is authorized, the earlier estimate was authorized before this one.',
    '22948.11'
  ),
  importe_periodo: Importe('Amount in this estimate: `round(periodo × precio_unitario, 2)`.', '65012.50'),
  importe_acumulado: Importe('`importe_anterior + importe_periodo`.', '87960.61')
}, { title: 'EstimateLine' })

const Query = Type.Partial(Type.Object({
  page,
  page_size: size,
  cursor,
  format,
  todos: Type.Boolean({
    description: 'Whether the report has all concepts of the contract, also those without `generadores` in this estimate. Default: false.',
    examples: [true]
  })
}), { additionalProperties: false })

/** The parameters of the report. */
export type LinesQuery = Static<typeof Query>

/** Schemas of the report. */
export const linesSchemas = { querystring: Query, response: { 200: Paged(EstimateLine) } }
