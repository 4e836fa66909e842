import { bitacora } from '../../../../../src/domain/bitacora/resource.ts'
import { bulkRoutes } from '../../../../../src/resources/routes.ts'

export default bulkRoutes(bitacora)
