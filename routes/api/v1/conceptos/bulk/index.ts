import { conceptos } from '../../../../../src/domain/conceptos/resource.ts'
import { bulkRoutes } from '../../../../../src/resources/routes.ts'

export default bulkRoutes(conceptos)
