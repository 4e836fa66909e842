import { defineEntity, p } from '@mikro-orm/core'
import { Company } from './company.ts'
import { User } from './user.ts'

/** A user's place in one company, with the level (1 Auxiliar, 2 Coordinador, 3 Director) held there. */
export const Membership = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    id: p.integer().primary(),
    user: p.manyToOne(User).mapToPk(),
    company: p.manyToOne(Company).mapToPk().index(),
    nivel_acceso: p.smallint().check('nivel_acceso between 1 and 3'),
    created_at: p.datetime(6).defaultRaw('clock_timestamp()')
  },
  uniques: [{ name: 'memberships_user_company_unique', properties: ['user', 'company'] }]
})
