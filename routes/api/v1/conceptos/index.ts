import { conceptos } from '../../../../src/domain/conceptos/resource.ts'
import { collectionRoutes } from '../../../../src/resources/routes.ts'

export default collectionRoutes(conceptos)
