import { defineEntity, p, type Opt } from '@mikro-orm/core'
import { accountProperties } from './account.ts'
import { Company } from './company.ts'
import { Customer } from './customer.ts'

/**
 * Somebody who logs in. `nivel_acceso` is an account-wide level (4 Corporativo, 5 Soporte, 6 Superusuario) or
 * null for a user whose level comes from a membership. `company` is the active company. Ending `activo` ends
 * every session, by a trigger.
 */
export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    ...accountProperties,
    /** Lower case; unique over all customers, since logging in names nothing else. */
    email: p.string().length(254).unique('users_email_unique').check('email = lower(email)'),
    /** argon2id in PHC form, or Django's `pbkdf2_sha256$…` until the next log-in. */
    password: p.string().length(255).lazy().hidden(),
    nombre: p.string().length(200).default(''),
    customer: p.manyToOne(Customer).mapToPk().strictNullable().index(),
    nivel_acceso: p.smallint().strictNullable().check('nivel_acceso between 4 and 6'),
    company: p.manyToOne(Company).mapToPk().strictNullable().index(),
    activo: p.boolean().default(true),
    /** What `search` looks in: `nombre` and `email` without case and accents. */
    busqueda: p.text().$type<Opt<string>>().generated("(search_text(nombre || ' ' || email)) stored").hidden().lazy()
  }
})
