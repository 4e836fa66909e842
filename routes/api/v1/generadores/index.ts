import { generadores } from '../../../../src/domain/generadores/resource.ts'
import { collectionRoutes } from '../../../../src/resources/routes.ts'

export default collectionRoutes(generadores)
