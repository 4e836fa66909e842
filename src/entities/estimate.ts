import { defineEntity, p, type Opt } from '@mikro-orm/core'
import { Contract } from './contract.ts'
import { tenantProperties, tenantWalls } from './tenant.ts'
import { money, percentage } from './types.ts'

/** The states of an estimate. */
export const estimateStates = ['borrador', 'enviada', 'autorizada', 'pagada', 'rechazada', 'cancelada'] as const

/** Values of a new estimate's fields that nobody gave. */
export const estimateDefaults = {
  descripcion: '',
  monto: '0.00',
  deductivas: '0.00',
  estado: 'borrador',
  motivo_rechazo: ''
}

/** Copied from the contract by the database when the estimate is made; never changed again. */
const copied = () => p.type(percentage).$type<Opt<string>>()

/** Set by the database when the estimate is authorized; until then it follows the present state and is null here. */
const settled = () => p.type(money).$type<Opt<string> | null>().nullable()

/** An estimate (estimación): progress billing on a contract. The database numbers it and derives its amounts. */
export const Estimate = defineEntity({
  name: 'Estimate',
  tableName: 'estimates',
  ...tenantWalls,
  properties: {
    ...tenantProperties,
    contract: p.manyToOne(Contract).mapToPk().$type<number>().createForeignKeyConstraint(false),
    numero: p.integer().$type<Opt<number>>(),
    periodo_inicio: p.date().strictNullable(),
    periodo_fin: p.date().strictNullable(),
    descripcion: p.string().length(2000).default(estimateDefaults.descripcion),
    monto: p.type(money).$type<string>().default(estimateDefaults.monto).check('monto >= 0'),
    deductivas: p.type(money).$type<string>().default(estimateDefaults.deductivas).check('deductivas >= 0'),
    estado: p.string().length(16).default(estimateDefaults.estado).check(`estado in ('${estimateStates.join("', '")}')`),
    motivo_rechazo: p.string().length(2000).default(estimateDefaults.motivo_rechazo),
    /** Fiscal folio of the invoice (CFDI). */
    factura_uuid: p.uuid().strictNullable(),
    anticipo_porcentaje: copied(),
    retencion_porcentaje: copied(),
    iva_porcentaje: copied(),
    amortizacion: settled(),
    retencion: settled(),
    subtotal: settled(),
    iva: settled(),
    neto: settled(),
    /** What `search` looks in: descripcion and motivo_rechazo without case and accents. */
    busqueda: p.text().$type<Opt<string>>().generated("(search_text(descripcion || ' ' || motivo_rechazo)) stored").hidden().lazy()
  },
  checks: [
    { name: 'estimates_periodo_check', expression: '(periodo_inicio is null) = (periodo_fin is null) and periodo_inicio <= periodo_fin' },
    { name: 'estimates_settled_check', expression: "(estado in ('autorizada', 'pagada')) = (neto is not null)" }
  ],
  uniques: [
    { name: 'estimates_company_id_unique', properties: ['company', 'id'] },
    { name: 'estimates_numero_unique', properties: ['company', 'contract', 'numero'] },
    { name: 'estimates_external_id_unique', properties: ['company', 'external_id'], where: 'external_id is not null' }
  ],
  indexes: [
    { name: 'estimates_updated_at_index', properties: ['company', 'updated_at', 'id'] },
    { name: 'estimates_authorized_index', properties: ['company', 'contract'], include: ['monto', 'amortizacion'], where: 'neto is not null' },
    { name: 'estimates_periodo_index', properties: ['company', 'contract', 'periodo_inicio'], include: ['periodo_fin'], where: "estado not in ('rechazada', 'cancelada') and periodo_inicio is not null" }
  ]
})
