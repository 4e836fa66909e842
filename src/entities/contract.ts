import { defineEntity, p, type Opt } from '@mikro-orm/core'
import { Contraparte } from './contraparte.ts'
import { tenantProperties, tenantWalls } from './tenant.ts'
import { money, percentage } from './types.ts'

/** The states of a contract. */
export const contractStates = ['vigente', 'suspendido', 'terminado', 'cancelado'] as const

/** The currencies a contract can be in, by ISO 4217 code. */
export const currencies = ['MXN', 'USD', 'EUR'] as const

/** Values of a new contract's fields that nobody gave. */
export const contractDefaults = {
  monto: '0.00',
  descripcion: '',
  moneda: 'MXN',
  anticipo_porcentaje: '0.00',
  retencion_porcentaje: '0.00',
  iva_porcentaje: '16.00',
  estado: 'vigente'
}

const percent = (name: string) => p.type(percentage).$type<string>().check(`${name} between 0 and 100`)

/** A contract; `parent` makes it a subcontract. References are held to the same company by composite foreign keys. */
export const Contract = defineEntity({
  name: 'Contract',
  tableName: 'contracts',
  ...tenantWalls,
  properties: {
    ...tenantProperties,
    folio: p.string().length(64).collation('C'),
    contraparte: p.manyToOne(Contraparte).mapToPk().strictNullable().createForeignKeyConstraint(false),
    monto: p.type(money).$type<string>().default(contractDefaults.monto).check('monto >= 0'),
    parent: (): any => p.manyToOne(Contract).mapToPk().strictNullable().createForeignKeyConstraint(false),
    descripcion: p.string().length(2000).default(contractDefaults.descripcion),
    moneda: p.string().length(3).default(contractDefaults.moneda).check(`moneda in ('${currencies.join("', '")}')`),
    fecha_inicio: p.date().strictNullable(),
    fecha_fin: p.date().strictNullable(),
    anticipo_porcentaje: percent('anticipo_porcentaje').default(contractDefaults.anticipo_porcentaje),
    retencion_porcentaje: percent('retencion_porcentaje').default(contractDefaults.retencion_porcentaje),
    iva_porcentaje: percent('iva_porcentaje').default(contractDefaults.iva_porcentaje),
    estado: p.string().length(16).default(contractDefaults.estado).check(`estado in ('${contractStates.join("', '")}')`),
    /** What `search` looks in: folio and descripcion without case and accents. */
    busqueda: p.text().$type<Opt<string>>().generated("(search_text(folio || ' ' || descripcion)) stored").hidden().lazy()
  },
  checks: [{ name: 'contracts_fechas_check', expression: 'fecha_fin >= fecha_inicio' }],
  uniques: [
    { name: 'contracts_company_id_unique', properties: ['company', 'id'] },
    { name: 'contracts_folio_unique', properties: ['company', 'folio'] },
    { name: 'contracts_external_id_unique', properties: ['company', 'external_id'], where: 'external_id is not null' }
  ],
  indexes: [
    { name: 'contracts_parent_index', properties: ['company', 'parent'], where: 'parent_id is not null' },
    { name: 'contracts_mains_index', properties: ['company', 'id'], where: 'parent_id is null' },
    { name: 'contracts_contraparte_index', properties: ['company', 'contraparte'], where: 'contraparte_id is not null' },
    { name: 'contracts_updated_at_index', properties: ['company', 'updated_at', 'id'] }
  ]
})
