import { sql } from 'drizzle-orm'
import {
  bigint, bigserial, boolean, customType, date, integer, numeric, pgTable, serial, smallint, timestamp, uuid, varchar
} from 'drizzle-orm/pg-core'

/** A timestamp with microseconds, which a Date would cut: `2026-03-01T15:04:05.123456Z`. */
const instant = customType<{ data: string, driverData: string }>({
  dataType: () => 'timestamptz(6)',
  fromDriver: value => `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(6, '0')}Z`
})

export const companies = pgTable('companies', {
  id: serial().primaryKey(),
  customer_id: integer().notNull()
})

export const users = pgTable('users', {
  id: serial().primaryKey(),
  customer_id: integer(),
  company_id: integer(),
  nivel_acceso: smallint(),
  activo: boolean().notNull()
})

export const sessions = pgTable('sessions', {
  id: uuid().primaryKey(),
  user_id: integer().notNull(),
  expires_at: timestamp({ withTimezone: true }).notNull(),
  revoked_at: timestamp({ withTimezone: true })
})

export const memberships = pgTable('memberships', {
  id: serial().primaryKey(),
  user_id: integer().notNull(),
  company_id: integer().notNull(),
  nivel_acceso: smallint().notNull()
})

export const contrapartes = pgTable('contrapartes', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  company_id: integer().notNull(),
  nombre: varchar({ length: 200 }).notNull()
})

const percentage = () => numeric({ precision: 5, scale: 2 }).notNull()

export const contracts = pgTable('contracts', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  company_id: integer().notNull(),
  external_id: varchar({ length: 128 }),
  created_at: instant().notNull().default(sql`clock_timestamp()`),
  updated_at: instant().notNull().default(sql`clock_timestamp()`),
  version: integer().notNull().default(1),
  folio: varchar({ length: 64 }).notNull(),
  contraparte_id: bigint({ mode: 'number' }),
  monto: numeric({ precision: 18, scale: 2 }).notNull().default('0.00'),
  parent_id: bigint({ mode: 'number' }),
  descripcion: varchar({ length: 2000 }).notNull().default(''),
  moneda: varchar({ length: 3 }).notNull().default('MXN'),
  fecha_inicio: date(),
  fecha_fin: date(),
  anticipo_porcentaje: percentage().default('0.00'),
  retencion_porcentaje: percentage().default('0.00'),
  iva_porcentaje: percentage().default('16.00'),
  derechos_porcentaje: percentage().default('0.00'),
  retencion_antes_iva: boolean().notNull().default(true),
  estado: varchar({ length: 16 }).notNull().default('vigente')
})

/** Sums of a contract's estimates and change orders, kept by triggers. */
export const contractSums = pgTable('contract_sums', {
  company_id: integer().notNull(),
  contract_id: bigint({ mode: 'number' }).notNull(),
  autorizado: numeric().notNull(),
  convenios: numeric().notNull(),
  dias: integer().notNull(),
  extra: numeric().notNull()
})

/** Sums of a contract's direct subcontracts by currency, kept by triggers. */
export const subcontractSums = pgTable('subcontract_sums', {
  company_id: integer().notNull(),
  parent_id: bigint({ mode: 'number' }).notNull(),
  moneda: varchar({ length: 3 }).notNull(),
  hijos: integer().notNull(),
  monto: numeric().notNull()
})
