import { estimates } from '../../../../../src/domain/estimates/resource.ts'
import { bulkRoutes } from '../../../../../src/resources/routes.ts'

export default bulkRoutes(estimates)
