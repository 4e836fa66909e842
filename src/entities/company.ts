import { defineEntity, p, type Opt } from '@mikro-orm/core'
import { accountProperties } from './account.ts'
import { Customer } from './customer.ts'

/** A company of a customer: the tenant. Every business record belongs to exactly one. */
export const Company = defineEntity({
  name: 'Company',
  tableName: 'companies',
  properties: {
    ...accountProperties,
    nombre: p.string().length(200),
    customer: p.manyToOne(Customer).mapToPk().index(),
    /** What `search` looks in: `nombre` without case and accents. */
    busqueda: p.text().$type<Opt<string>>().generated('(search_text(nombre)) stored').hidden().lazy()
  },
  uniques: [{ name: 'companies_customer_nombre_unique', properties: ['customer', 'nombre'] }]
})
