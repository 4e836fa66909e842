import { bitacora } from '../../../../../src/domain/bitacora/resource.ts'
import { recordRoutes } from '../../../../../src/resources/routes.ts'

export default recordRoutes(bitacora)
