import { companies } from '../accounts/companies.ts'
import { customers } from '../accounts/customers.ts'
import { memberships } from '../accounts/memberships.ts'
import { users } from '../accounts/users.ts'
import { contracts } from '../contracts/resource.ts'
import { contrapartes } from '../contrapartes/resource.ts'
import { estimates } from '../estimates/resource.ts'
import { AuthorityRevision } from './authority-revision.ts'
import { Change } from './change.ts'
import { companyRevisionOf } from './company-revision.ts'
import { Device, DeviceRef, Mutation } from './device.ts'
import { IdempotencyKey } from './idempotency-key.ts'
import { KnownAddress } from './known-address.ts'
import { PurgedRevision } from './purged-revision.ts'
import { RefreshToken } from './refresh-token.ts'
import { Session } from './session.ts'

const { entity: Customer } = customers
const { entity: Company } = companies
const { entity: User } = users
const { entity: Membership } = memberships
const { entity: Contract } = contracts
const { entity: Contraparte } = contrapartes
const { entity: Estimate } = estimates

/** The resources of companies, in the order in which their tables refer to each other. Register a new resource here. */
export const resources = [contrapartes, contracts, estimates]

const CompanyRevision = companyRevisionOf(resources.map(({ name }) => name))

/** All entities, in the order in which their tables refer to each other. */
export const entities = [
  Customer, Company, User, Membership, Session, RefreshToken, KnownAddress, AuthorityRevision, CompanyRevision, Change, PurgedRevision, ...resources.map(({ entity }) => entity), IdempotencyKey, Device, Mutation, DeviceRef
]

export { Change, Company, CompanyRevision, Contract, Contraparte, Customer, Estimate, IdempotencyKey, KnownAddress, Membership, RefreshToken, Session, User }
