import { companies } from '../../../../src/domain/accounts/companies.ts'
import { customers } from '../../../../src/domain/accounts/customers.ts'
import { memberships } from '../../../../src/domain/accounts/memberships.ts'
import { users } from '../../../../src/domain/accounts/users.ts'
import { messages } from '../../../../src/http/messages.ts'
import type { TestServer } from '../../../support/helper.ts'
import type { Entry } from './resources.ts'

const [customer, company] = [1, 1]
let firstUser = 0

const common = {
  by: 'superusuario@demo.example',
  within: 'corporativo@demo.example',
  outsider: { email: 'corporativo@otra.example', status: 404 },
  ofCompany: false,
  bulk: false,
  change: (number: number) => ({ nombre: `Cambio ${number}` })
} as const

/** Creates the outsider, a Corporativo of another customer. No demo account is one. */
async function addOutsider ({ psql }: TestServer): Promise<void> {
  await psql("insert into users (email, password, customer_id, nivel_acceso) select $1, password, customer_id, 4 from users where email = 'director@otra.example'", [common.outsider.email])
}

/** The account resources, used by a Superusuario. */
export const accounts: Entry[] = [
  {
    ...common,
    name: 'customers',
    schemas: customers.schemas,
    outsider: { ...common.outsider, status: 403 },
    right: number => ({ nombre: `Tabla ${number}` }),
    unique: {},
    references: {},
    prepare: async (_root, server) => await addOutsider(server)
  },
  {
    ...common,
    name: 'companies',
    schemas: companies.schemas,
    right: number => ({ nombre: `Tabla ${number}`, customer }),
    // A Corporativo's own customer is the default.
    alsoRequired: { customer: messages.en.required },
    unique: { nombre: { nombre: 'ÚNICA' } },
    references: { customer: 'customers' },
    prepare: async (_root, server) => await addOutsider(server)
  },
  {
    ...common,
    name: 'users',
    schemas: users.schemas,
    ofChanges: ['current_password'],
    // The second DELETE changes nothing, but its If-Match is stale: the first one raised the version.
    deletedAgain: 412,
    right: number => ({ email: `tabla-${number}@demo.example`, password: 'una contraseña', customer }),
    unique: { email: { email: 'unica@demo.example' } },
    references: { customer: 'customers' },
    prepare: async (_root, server) => await addOutsider(server)
  },
  {
    ...common,
    name: 'memberships',
    schemas: memberships.schemas,
    deletedAgain: 404,
    right: number => ({ user: firstUser + number, company, nivel_acceso: 1 }),
    change: number => ({ nivel_acceso: 2 + number % 2 }),
    unique: { non_field_errors: { user: 8, company: 2 } },
    references: { user: 'users', company: 'companies' },
    prepare: async (_root, server) => {
      await addOutsider(server)
      const made = await server.psql("insert into users (email, password, customer_id) select 'tabla-' || n || '@demo.example', '!', $1 from generate_series(0, 199) n returning id", [customer])
      firstUser = made[0]?.['id']
    }
  }
]
