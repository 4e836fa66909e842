import { estimates } from '../../estimates/resource.ts'
import type { PagedReport } from '../paged-report.ts'
import { EstimateLine } from './schemas.ts'
import { byConcepto, linesQueries, type Reported } from './statement.ts'

const ofEstimate = (reported: Reported): PagedReport => (
  { name: 'conceptos', queries: linesQueries[reported], key: byConcepto, resource: estimates, Row: EstimateLine })

/** The lines of an estimate, and the whole catalogue with them. */
export const estimateLines: Record<Reported, PagedReport> = { lines: ofEstimate('lines'), catalogue: ofEstimate('catalogue') }
