import type { FastifyInstance } from 'fastify'
import { estimates } from '../../../../../../src/domain/estimates/resource.ts'
import { estimateLines } from '../../../../../../src/domain/reports/lines/lines.ts'
import { linesSchemas, type LinesQuery } from '../../../../../../src/domain/reports/lines/schemas.ts'
import { sendPagedReport, type PagedReportRoute } from '../../../../../../src/domain/reports/paged-report.ts'
import { kinds } from '../../../../../../src/http/route-kinds.ts'

export default async function estimateLineRoutes (app: FastifyInstance) {
  const { lines, catalogue } = estimateLines
  app.get<PagedReportRoute & { Querystring: LinesQuery }>('/', {
    config: {
      access: 'read',
      kind: kinds.list,
      exampleId: estimates.routes.exampleId,
      sql: lines.queries.offset.text + catalogue.queries.offset.text,
      csv: true
    },
    schema: {
      tags: ['estimates'],
      operationId: 'listEstimateLines',
      summary: 'List the lines of an estimate, in the order of the catalogue',
      description: 'Quantities and amounts before the estimate, in it, and with it. The lines of an authorized estimate are fixed.',
      ...linesSchemas
    }
  }, async (request, reply) => await sendPagedReport(request, reply, request.query.todos === true ? catalogue : lines))
}
