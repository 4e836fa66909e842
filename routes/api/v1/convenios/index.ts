import { convenios } from '../../../../src/domain/convenios/resource.ts'
import { collectionRoutes } from '../../../../src/resources/routes.ts'

export default collectionRoutes(convenios)
