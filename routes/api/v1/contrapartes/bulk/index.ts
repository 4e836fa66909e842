import { contrapartes } from '../../../../../src/domain/contrapartes/resource.ts'
import { bulkRoutes } from '../../../../../src/resources/routes.ts'

export default bulkRoutes(contrapartes)
