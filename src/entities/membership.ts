import { defineEntity, p } from '@mikro-orm/core'
import { accountProperties } from './account.ts'
import { Company } from './company.ts'
import { User } from './user.ts'

/** A user's place in one company, with the level (1 Auxiliar, 2 Coordinador, 3 Director) held there. */
export const Membership = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    ...accountProperties,
    user: p.manyToOne(User).mapToPk(),
    company: p.manyToOne(Company).mapToPk().index(),
    nivel_acceso: p.smallint().check('nivel_acceso between 1 and 3')
  },
  uniques: [{ name: 'memberships_user_company_unique', properties: ['user', 'company'] }]
})
