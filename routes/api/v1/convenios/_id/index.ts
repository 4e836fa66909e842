import { convenios } from '../../../../../src/domain/convenios/resource.ts'
import { recordRoutes } from '../../../../../src/resources/routes.ts'

export default recordRoutes(convenios)
