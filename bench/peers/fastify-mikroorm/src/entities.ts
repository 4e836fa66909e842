import { defineEntity, p, Type, type InferEntity } from '@mikro-orm/core'

/** A timestamp with microseconds, which a Date would cut: `2026-03-01T15:04:05.123456Z`. */
class Instant extends Type<string, string> {
  override getColumnType () {
    return 'timestamptz(6)'
  }

  override compareAsType () {
    return 'string'
  }

  override convertToJSValue (value: string) {
    return `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(6, '0')}Z`
  }
}

export const Contraparte = defineEntity({
  name: 'Contraparte',
  tableName: 'contrapartes',
  properties: {
    id: p.bigint('number').primary(),
    company: p.integer().fieldName('company_id'),
    nombre: p.string().length(200)
  }
})

const instant = () => p.type(Instant).$type<string>().defaultRaw('clock_timestamp()')
const money = () => p.decimal('string').precision(18).scale(2)
const percentage = () => p.decimal('string').precision(5).scale(2)

const children = (contract: Record<string, string>) => `from contracts child where child.company_id = ${contract.company} and child.parent_id = ${contract.id}`
const estimated = (contract: Record<string, string>) => `(
  select coalesce(sum(e.monto), 0.00) from estimates e
  where e.company_id = ${contract.company} and e.contract_id = ${contract.id} and e.neto is not null)`

export const Contract = defineEntity({
  name: 'Contract',
  tableName: 'contracts',
  properties: {
    id: p.bigint('number').primary(),
    company: p.integer().fieldName('company_id'),
    external_id: p.string().length(128).nullable(),
    created_at: instant(),
    updated_at: instant(),
    version: p.integer().default(1),
    folio: p.string().length(64),
    contraparte: () => p.manyToOne(Contraparte).nullable(),
    monto: money().default('0.00'),
    parent: p.bigint('number').fieldName('parent_id').nullable(),
    descripcion: p.string().length(2000).default(''),
    moneda: p.string().length(3).default('MXN'),
    fecha_inicio: p.date().nullable(),
    fecha_fin: p.date().nullable(),
    anticipo_porcentaje: percentage().default('0.00'),
    retencion_porcentaje: percentage().default('0.00'),
    iva_porcentaje: percentage().default('16.00'),
    estado: p.string().length(16).default('vigente'),
    hijos: p.integer().formula(contract => `(select count(*)::int ${children(contract)})`).lazy(),
    monto_subcontratado: money().formula(contract => `(select coalesce(sum(child.monto) filter (where child.moneda = ${contract.moneda}), 0.00) ${children(contract)})`).lazy(),
    otras_monedas: p.json<Record<string, string>>().formula(contract => `(select coalesce(json_object_agg(moneda, monto::text order by moneda), '{}') from (select child.moneda, sum(child.monto) as monto ${children(contract)} and child.moneda <> ${contract.moneda} group by child.moneda) other)`).lazy(),
    monto_estimado: money().formula(estimated).lazy(),
    por_estimar: money().formula(contract => `${contract.monto} - ${estimated(contract)}`).lazy()
  }
})
/** A contract as read from the database. */
export type ContractRecord = InferEntity<typeof Contract>
