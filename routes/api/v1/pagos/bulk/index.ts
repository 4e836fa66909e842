import { pagos } from '../../../../../src/domain/pagos/resource.ts'
import { bulkRoutes } from '../../../../../src/resources/routes.ts'

export default bulkRoutes(pagos)
