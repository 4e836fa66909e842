import { adjuntos } from '../../../../src/domain/adjuntos/resource.ts'
import { collectionRoutes } from '../../../../src/resources/routes.ts'

export default collectionRoutes(adjuntos)
