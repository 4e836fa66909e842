import { Type, type TSchema } from '@sinclair/typebox'

const nullable = <T>(schema: object) => Type.Unsafe<T | null>({ ...schema, nullable: true })

export const ContractItem = Type.Object({
  id: Type.Integer(),
  company: Type.Integer(),
  folio: Type.String(),
  contraparte: nullable<string>({ type: 'string' }),
  contraparte_id: nullable<number>({ type: 'integer' }),
  monto: Type.String(),
  parent: nullable<number>({ type: 'integer' }),
  moneda: Type.String(),
  fecha_inicio: nullable<string>({ type: 'string' }),
  fecha_fin: nullable<string>({ type: 'string' }),
  anticipo_porcentaje: Type.String(),
  retencion_porcentaje: Type.String(),
  iva_porcentaje: Type.String(),
  estado: Type.String(),
  external_id: nullable<string>({ type: 'string' }),
  created_at: Type.String(),
  updated_at: Type.String(),
  version: Type.Integer()
})

export const ContractDetail = Type.Object({
  ...ContractItem.properties,
  descripcion: Type.String(),
  hijos: Type.Integer(),
  monto_subcontratado: Type.String(),
  otras_monedas: Type.Record(Type.String(), Type.String()),
  monto_estimado: Type.String(),
  por_estimar: Type.String()
})

export const Paged = <T extends TSchema>(item: T) => Type.Object({
  count: Type.Integer(),
  next: nullable<string>({ type: 'string' }),
  previous: nullable<string>({ type: 'string' }),
  results: Type.Array(item)
})

export const ListQuery = Type.Object({ page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }) })

export const Params = Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }) })

const money = Type.String({ pattern: '^\\d{1,16}\\.\\d\\d$' })
const percentage = Type.String({ pattern: '^(100\\.00|\\d{1,2}\\.\\d\\d)$' })
// A list of types, not a union: Ajv would coerce null to the first member of a union.
const day = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date' })

export const ContractBody = Type.Object({
  folio: Type.String({ minLength: 1, maxLength: 64 }),
  ...Type.Partial(Type.Object({
    contraparte: Type.Unsafe<number | string | null>({ type: ['integer', 'string', 'null'], minimum: 1, minLength: 1 }),
    monto: money,
    parent: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1 }),
    descripcion: Type.String({ maxLength: 2000 }),
    moneda: Type.Unsafe<string>({ type: 'string', enum: ['MXN', 'USD', 'EUR'] }),
    fecha_inicio: day,
    fecha_fin: day,
    anticipo_porcentaje: percentage,
    retencion_porcentaje: percentage,
    iva_porcentaje: percentage,
    estado: Type.Unsafe<string>({ type: 'string', enum: ['vigente', 'suspendido', 'terminado', 'cancelado'] }),
    external_id: Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1, maxLength: 128 })
  })).properties
}, { additionalProperties: false })
