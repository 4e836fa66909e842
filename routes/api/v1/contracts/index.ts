import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { collectionRoutes } from '../../../../src/resources/routes.ts'

export default collectionRoutes(contracts)
