import { contracts } from '../../contracts/resource.ts'
import type { PagedReport } from '../paged-report.ts'
import { Progress } from './schemas.ts'
import { byHasta, progressQueries } from './statement.ts'

/** What is planned and executed of a contract. */
export const avance: PagedReport = { name: 'avance', queries: progressQueries, key: byHasta, resource: contracts, Row: Progress }
