import { contracts } from '../../../../../src/domain/contracts/resource.ts'
import { recordRoutes } from '../../../../../src/resources/routes.ts'

export default recordRoutes(contracts)
