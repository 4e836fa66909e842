import { programa } from '../../../../src/domain/programa/resource.ts'
import { collectionRoutes } from '../../../../src/resources/routes.ts'

export default collectionRoutes(programa)
