import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm'

export interface Contraparte {
  id: number
  company_id: number
  nombre: string
}

export const ContraparteEntity = new EntitySchema<Contraparte>({
  name: 'Contraparte',
  tableName: 'contrapartes',
  columns: {
    id: { type: 'int', primary: true, generated: 'increment' },
    company_id: { type: 'int' },
    nombre: { type: 'varchar', length: 200 }
  }
})

export interface Contract {
  id: number
  company_id: number
  external_id: string | null
  created_at: string
  updated_at: string
  version: number
  folio: string
  contraparte_id: number | null
  contraparte: Contraparte | null
  monto: string
  parent_id: number | null
  descripcion: string
  moneda: string
  fecha_inicio: string | null
  fecha_fin: string | null
  anticipo_porcentaje: string
  retencion_porcentaje: string
  iva_porcentaje: string
  estado: string
}

const percentage: EntitySchemaColumnOptions = { type: 'numeric', precision: 5, scale: 2 }
// As text: TypeORM would convert a timestamptz to a Date, which has only milliseconds.
const instant: EntitySchemaColumnOptions = { type: 'text', default: () => 'clock_timestamp()' }

export const ContractEntity = new EntitySchema<Contract>({
  name: 'Contract',
  tableName: 'contracts',
  columns: {
    id: { type: 'int', primary: true, generated: 'increment' },
    company_id: { type: 'int' },
    external_id: { type: 'varchar', length: 128, nullable: true },
    created_at: instant,
    updated_at: instant,
    version: { type: 'int', default: 1 },
    folio: { type: 'varchar', length: 64 },
    contraparte_id: { type: 'int', nullable: true },
    monto: { type: 'numeric', precision: 18, scale: 2, default: '0.00' },
    parent_id: { type: 'int', nullable: true },
    descripcion: { type: 'varchar', length: 2000, default: '' },
    moneda: { type: 'varchar', length: 3, default: 'MXN' },
    fecha_inicio: { type: 'date', nullable: true },
    fecha_fin: { type: 'date', nullable: true },
    anticipo_porcentaje: { ...percentage, default: '0.00' },
    retencion_porcentaje: { ...percentage, default: '0.00' },
    iva_porcentaje: { ...percentage, default: '16.00' },
    estado: { type: 'varchar', length: 16, default: 'vigente' }
  },
  relations: {
    contraparte: { type: 'many-to-one', target: 'Contraparte', joinColumn: { name: 'contraparte_id' }, nullable: true }
  }
})
