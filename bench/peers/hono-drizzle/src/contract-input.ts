import { z } from 'zod'

const money = z.string().regex(/^\d{1,16}\.\d\d$/)
const percentage = z.string().regex(/^(100\.00|\d{1,2}\.\d\d)$/)
const reference = z.int().positive()

export const ListQuery = z.object({ page: z.coerce.number().int().min(1).max(1_000_000).default(1) })

export const ContractBody = z.strictObject({
  folio: z.string().trim().min(1).max(64),
  contraparte: z.union([reference, z.string().trim().min(1)]).nullish(),
  monto: money.optional(),
  parent: reference.nullish(),
  descripcion: z.string().trim().max(2000).optional(),
  moneda: z.enum(['MXN', 'USD', 'EUR']).optional(),
  fecha_inicio: z.iso.date().nullish(),
  fecha_fin: z.iso.date().nullish(),
  anticipo_porcentaje: percentage.optional(),
  retencion_porcentaje: percentage.optional(),
  iva_porcentaje: percentage.optional(),
  derechos_porcentaje: percentage.optional(),
  retencion_antes_iva: z.boolean().optional(),
  estado: z.enum(['vigente', 'suspendido', 'terminado', 'cancelado']).optional(),
  external_id: z.string().trim().min(1).max(128).nullish()
}).refine(({ fecha_inicio: start, fecha_fin: end }) => start == null || end == null || start <= end, {
  path: ['fecha_fin'], error: 'Before fecha_inicio.'
})
