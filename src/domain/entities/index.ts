import { companies } from '../accounts/companies.ts'
import { customers } from '../accounts/customers.ts'
import { memberships } from '../accounts/memberships.ts'
import { users } from '../accounts/users.ts'
import { contracts } from '../contracts/resource.ts'
import { contrapartes } from '../contrapartes/resource.ts'
import { conceptos } from '../conceptos/resource.ts'
import { convenios } from '../convenios/resource.ts'
import { estimates } from '../estimates/resource.ts'
import { generadores } from '../generadores/resource.ts'
import { movimientos } from '../movimientos/resource.ts'
import { pagos } from '../pagos/resource.ts'
import { resources } from '../resources.ts'
import { webhooks } from '../webhooks/resource.ts'
import { AuthorityRevision } from './authority-revision.ts'
import { KeptCaratula } from './caratula.ts'
import { Change } from './change.ts'
import { companyRevisionOf } from './company-revision.ts'
import { ContractLevels } from './contract-levels.ts'
import { Device, DeviceRef, Mutation } from './device.ts'
import { ConceptoSum, EstimateLine } from './estimate-line.ts'
import { History } from './history.ts'
import { IdempotencyKey } from './idempotency-key.ts'
import { KnownAddress } from './known-address.ts'
import { LastBackup } from './last-backup.ts'
import { PurgedRevision } from './purged-revision.ts'
import { RefreshToken } from './refresh-token.ts'
import { Session } from './session.ts'
import { ContractSum, EstimateSum, MovementSum, SubcontractSum } from './sums.ts'
import { StoredFile, Upload } from './stored-file.ts'
import { WebhookCursor, WebhookDelivery } from './webhook.ts'

const { entity: Customer } = customers
const { entity: Company } = companies
const { entity: User } = users
const { entity: Membership } = memberships
const { entity: Contract } = contracts
const { entity: Contraparte } = contrapartes
const { entity: Convenio } = convenios
const { entity: Concepto } = conceptos
const { entity: Estimate } = estimates
const { entity: Generador } = generadores
const { entity: Movimiento } = movimientos
const { entity: Pago } = pagos

/** All resources of companies. Unlike the business resources, `webhooks` is not part of the change feed. */
export const companyResources = [...resources, webhooks]

/** All resources with a history. */
export const recordedResources = [...companyResources, companies, memberships, users, customers]

const CompanyRevision = companyRevisionOf(companyResources.map(({ name }) => name))

/** All entities, in the order in which their tables refer to each other. */
export const entities = [
  Customer, Company, User, Membership, Session, RefreshToken, KnownAddress, AuthorityRevision, CompanyRevision, Change, PurgedRevision,
  ...companyResources.map(({ entity }) => entity), EstimateSum, ContractSum, MovementSum, SubcontractSum, ContractLevels, EstimateLine,
  ConceptoSum, KeptCaratula, History, IdempotencyKey, Device, Mutation, DeviceRef, WebhookCursor, WebhookDelivery, StoredFile, Upload,
  LastBackup
]

export {
  Change, Company, CompanyRevision, Concepto, Contract, Contraparte, Convenio, Customer, Estimate, Generador, IdempotencyKey, KnownAddress,
  Membership, Movimiento, Pago, RefreshToken, Session, User
}
