import { movimientos } from '../../../../../src/domain/movimientos/resource.ts'
import { recordRoutes } from '../../../../../src/resources/routes.ts'

export default recordRoutes(movimientos)
