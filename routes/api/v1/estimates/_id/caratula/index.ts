import type { FastifyInstance } from 'fastify'
import { estimates } from '../../../../../../src/domain/estimates/resource.ts'
import { caratula } from '../../../../../../src/domain/reports/caratula/caratula.ts'
import { Caratula } from '../../../../../../src/domain/reports/caratula/schemas.ts'
import { mediaTypes } from '../../../../../../src/http/media.ts'
import { ReportQuery, sendReport, type ReportRoute } from '../../../../../../src/domain/reports/report.ts'
import { kinds } from '../../../../../../src/http/route-kinds.ts'

export default async function caratulaRoutes (app: FastifyInstance) {
  app.get<ReportRoute>('/', {
    config: {
      access: 'read',
      kind: kinds.record,
      exampleId: estimates.routes.exampleId,
      sql: caratula.query.text,
      csv: true,
      media: mediaTypes.pdf
    },
    schema: {
      tags: ['estimates'],
      operationId: 'retrieveCaratula',
      summary: 'Retrieve the cover sheet (carátula) of an estimate',
      description: 'Each amount before the estimate, in it, and with it; the contract, its advance and its chapters. ' +
        'The amounts of an authorized estimate are fixed, those of the contract are the present ones. ' +
        'With `Accept: application/pdf`, the answer is a page to sign, in the language of the request.',
      querystring: ReportQuery,
      response: { 200: Caratula }
    }
  }, async (request, reply) => await sendReport(request, reply, caratula))
}
