import { movimientos } from '../../../../../src/domain/movimientos/resource.ts'
import { bulkRoutes } from '../../../../../src/resources/routes.ts'

export default bulkRoutes(movimientos)
