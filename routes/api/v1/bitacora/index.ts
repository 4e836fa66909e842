import { bitacora } from '../../../../src/domain/bitacora/resource.ts'
import { collectionRoutes } from '../../../../src/resources/routes.ts'

export default collectionRoutes(bitacora)
