import { contracts } from '../../../../../src/domain/contracts/resource.ts'
import { bulkRoutes } from '../../../../../src/resources/routes.ts'

export default bulkRoutes(contracts)
