import { defineEntity, p } from '@mikro-orm/core'

/** A customer: the top-level account, which owns companies. */
export const Customer = defineEntity({
  name: 'Customer',
  tableName: 'customers',
  properties: {
    id: p.integer().primary(),
    nombre: p.string().length(200),
    created_at: p.datetime(6).defaultRaw('clock_timestamp()')
  }
})
