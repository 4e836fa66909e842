import { programa } from '../../../../../src/domain/programa/resource.ts'
import { bulkRoutes } from '../../../../../src/resources/routes.ts'

export default bulkRoutes(programa)
