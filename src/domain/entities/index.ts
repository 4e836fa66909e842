import { companies } from '../accounts/companies.ts'
import { customers } from '../accounts/customers.ts'
import { memberships } from '../accounts/memberships.ts'
import { users } from '../accounts/users.ts'
import { contracts } from '../contracts/resource.ts'
import { contrapartes } from '../contrapartes/resource.ts'
import { estimates } from '../estimates/resource.ts'
import { resources } from '../resources.ts'
import { webhooks } from '../webhooks/resource.ts'
import { AuthorityRevision } from './authority-revision.ts'
import { Change } from './change.ts'
import { companyRevisionOf } from './company-revision.ts'
import { ContractLevels } from './contract-levels.ts'
import { Device, DeviceRef, Mutation } from './device.ts'
import { IdempotencyKey } from './idempotency-key.ts'
import { KnownAddress } from './known-address.ts'
import { PurgedRevision } from './purged-revision.ts'
import { RefreshToken } from './refresh-token.ts'
import { Session } from './session.ts'
import { ContractSum, EstimateSum, SubcontractSum } from './sums.ts'
import { WebhookCursor, WebhookDelivery } from './webhook.ts'

const { entity: Customer } = customers
const { entity: Company } = companies
const { entity: User } = users
const { entity: Membership } = memberships
const { entity: Contract } = contracts
const { entity: Contraparte } = contrapartes
const { entity: Estimate } = estimates

/** All resources of companies. Unlike the business resources, `webhooks` is not part of the change feed. */
export const companyResources = [...resources, webhooks]

const CompanyRevision = companyRevisionOf(companyResources.map(({ name }) => name))

/** All entities, in the order in which their tables refer to each other. */
export const entities = [
  Customer, Company, User, Membership, Session, RefreshToken, KnownAddress, AuthorityRevision, CompanyRevision, Change, PurgedRevision, ...companyResources.map(({ entity }) => entity), EstimateSum, ContractSum, SubcontractSum, ContractLevels, IdempotencyKey, Device, Mutation, DeviceRef, WebhookCursor, WebhookDelivery
]

export { Change, Company, CompanyRevision, Contract, Contraparte, Customer, Estimate, IdempotencyKey, KnownAddress, Membership, RefreshToken, Session, User }
