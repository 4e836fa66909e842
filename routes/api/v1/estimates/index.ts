import { estimates } from '../../../../src/domain/estimates/resource.ts'
import { collectionRoutes } from '../../../../src/resources/routes.ts'

export default collectionRoutes(estimates)
