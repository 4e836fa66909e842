import { movimientos } from '../../../../src/domain/movimientos/resource.ts'
import { collectionRoutes } from '../../../../src/resources/routes.ts'

export default collectionRoutes(movimientos)
