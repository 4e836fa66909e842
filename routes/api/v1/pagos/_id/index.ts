import { pagos } from '../../../../../src/domain/pagos/resource.ts'
import { recordRoutes } from '../../../../../src/resources/routes.ts'

export default recordRoutes(pagos)
