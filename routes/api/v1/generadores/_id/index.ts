import { generadores } from '../../../../../src/domain/generadores/resource.ts'
import { recordRoutes } from '../../../../../src/resources/routes.ts'

export default recordRoutes(generadores)
