import { adjuntos } from '../../../../../src/domain/adjuntos/resource.ts'
import { recordRoutes } from '../../../../../src/resources/routes.ts'

export default recordRoutes(adjuntos)
