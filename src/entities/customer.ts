import { defineEntity, p, type Opt } from '@mikro-orm/core'
import { accountProperties } from './account.ts'

/** A customer: the top-level account, which owns companies. */
export const Customer = defineEntity({
  name: 'Customer',
  tableName: 'customers',
  properties: {
    ...accountProperties,
    nombre: p.string().length(200),
    /** What `search` looks in: `nombre` without case and accents. */
    busqueda: p.text().$type<Opt<string>>().generated('(search_text(nombre)) stored').hidden().lazy()
  }
})
