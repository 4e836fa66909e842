import { programa } from '../../../../../src/domain/programa/resource.ts'
import { recordRoutes } from '../../../../../src/resources/routes.ts'

export default recordRoutes(programa)
