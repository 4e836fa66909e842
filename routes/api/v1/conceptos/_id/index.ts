import { conceptos } from '../../../../../src/domain/conceptos/resource.ts'
import { recordRoutes } from '../../../../../src/resources/routes.ts'

export default recordRoutes(conceptos)
