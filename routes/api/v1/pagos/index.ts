import { pagos } from '../../../../src/domain/pagos/resource.ts'
import { collectionRoutes } from '../../../../src/resources/routes.ts'

export default collectionRoutes(pagos)
