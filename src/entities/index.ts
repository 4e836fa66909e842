import { Change } from './change.ts'
import { Company } from './company.ts'
import { CompanyRevision } from './company-revision.ts'
import { Contract } from './contract.ts'
import { Contraparte } from './contraparte.ts'
import { Customer } from './customer.ts'
import { Estimate } from './estimate.ts'
import { IdempotencyKey } from './idempotency-key.ts'
import { KnownAddress } from './known-address.ts'
import { Membership } from './membership.ts'
import { RefreshToken } from './refresh-token.ts'
import { Session } from './session.ts'
import { User } from './user.ts'

/** Every entity, in the order in which their tables refer to each other. */
export const entities = [
  Customer, Company, User, Membership, Session, RefreshToken, KnownAddress, CompanyRevision, Change, Contraparte, Contract, Estimate, IdempotencyKey
]

export { Change, Company, CompanyRevision, Contract, Contraparte, Customer, Estimate, IdempotencyKey, KnownAddress, Membership, RefreshToken, Session, User }
