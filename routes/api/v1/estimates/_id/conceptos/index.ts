import type { FastifyInstance } from 'fastify'
import { estimateLines } from '../../../../../../src/domain/reports/lines/lines.ts'
import { linesSchemas, type LinesQuery } from '../../../../../../src/domain/reports/lines/schemas.ts'
import { sendPagedReport, type PagedReportRoute } from '../../../../../../src/domain/reports/paged-report.ts'

export default async function estimateLineRoutes (app: FastifyInstance) {
  const { lines, catalogue } = estimateLines
  app.get<PagedReportRoute & { Querystring: LinesQuery }>('/', {
    config: { access: 'read', sql: lines.queries.offset.text + catalogue.queries.offset.text, csv: true },
    schema: {
      operationId: 'listEstimateLines',
      summary: 'List the lines of an estimate, in the order of the catalogue',
      description: 'Quantities and amounts before the estimate, in it, and with it. The lines of an authorized estimate are fixed.',
      ...linesSchemas
    }
  }, async (request, reply) => await sendPagedReport(request, reply, request.query.todos === true ? catalogue : lines))
}
