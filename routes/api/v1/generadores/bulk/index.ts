import { generadores } from '../../../../../src/domain/generadores/resource.ts'
import { bulkRoutes } from '../../../../../src/resources/routes.ts'

export default bulkRoutes(generadores)
