import { convenios } from '../../../../../src/domain/convenios/resource.ts'
import { bulkRoutes } from '../../../../../src/resources/routes.ts'

export default bulkRoutes(convenios)
