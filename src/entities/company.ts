import { defineEntity, p } from '@mikro-orm/core'
import { Customer } from './customer.ts'

/** A company of a customer: the tenant. Every business record belongs to exactly one. */
export const Company = defineEntity({
  name: 'Company',
  tableName: 'companies',
  properties: {
    id: p.integer().primary(),
    nombre: p.string().length(200),
    customer: p.manyToOne(Customer).mapToPk().index(),
    created_at: p.datetime(6).defaultRaw('clock_timestamp()')
  },
  uniques: [{ name: 'companies_customer_nombre_unique', properties: ['customer', 'nombre'] }]
})
