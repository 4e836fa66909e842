import { contrapartes } from '../../../../../src/domain/contrapartes/resource.ts'
import { recordRoutes } from '../../../../../src/resources/routes.ts'

export default recordRoutes(contrapartes)
