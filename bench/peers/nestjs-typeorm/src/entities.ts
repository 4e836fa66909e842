import { Column, Entity, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm'

@Entity('contrapartes')
export class Contraparte {
  @PrimaryGeneratedColumn()
  id: number

  @Column('int')
  company_id: number

  @Column('varchar', { length: 200 })
  nombre: string
}

@Entity('contracts')
export class Contract {
  @PrimaryGeneratedColumn()
  id: number

  @Column('int')
  company_id: number

  @Column('varchar', { length: 128, nullable: true })
  external_id: string | null

  // As text: TypeORM would convert a timestamptz to a Date, which has only milliseconds.
  @Column('text', { default: () => 'clock_timestamp()' })
  created_at: string

  @Column('text', { default: () => 'clock_timestamp()' })
  updated_at: string

  @Column('int', { default: 1 })
  version: number

  @Column('varchar', { length: 64 })
  folio: string

  @Column('int', { nullable: true })
  contraparte_id: number | null

  @ManyToOne(() => Contraparte, { nullable: true })
  @JoinColumn({ name: 'contraparte_id' })
  contraparte: Contraparte | null

  @Column('numeric', { precision: 18, scale: 2, default: '0.00' })
  monto: string

  @Column('int', { nullable: true })
  parent_id: number | null

  @Column('varchar', { length: 2000, default: '' })
  descripcion: string

  @Column('varchar', { length: 3, default: 'MXN' })
  moneda: string

  @Column('date', { nullable: true })
  fecha_inicio: string | null

  @Column('date', { nullable: true })
  fecha_fin: string | null

  @Column('numeric', { precision: 5, scale: 2, default: '0.00' })
  anticipo_porcentaje: string

  @Column('numeric', { precision: 5, scale: 2, default: '0.00' })
  retencion_porcentaje: string

  @Column('numeric', { precision: 5, scale: 2, default: '16.00' })
  iva_porcentaje: string

  @Column('varchar', { length: 16, default: 'vigente' })
  estado: string
}
