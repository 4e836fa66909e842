import { estimates } from '../../../../../src/domain/estimates/resource.ts'
import { recordRoutes } from '../../../../../src/resources/routes.ts'

export default recordRoutes(estimates)
