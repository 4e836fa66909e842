import { contrapartes } from '../../../../src/domain/contrapartes/resource.ts'
import { collectionRoutes } from '../../../../src/resources/routes.ts'

export default collectionRoutes(contrapartes)
