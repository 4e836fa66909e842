import { adjuntos } from '../../../../../src/domain/adjuntos/resource.ts'
import { bulkRoutes } from '../../../../../src/resources/routes.ts'

export default bulkRoutes(adjuntos)
