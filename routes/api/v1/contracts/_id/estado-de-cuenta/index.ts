import type { FastifyInstance } from 'fastify'
import { estadoDeCuenta } from '../../../../../../src/domain/reports/estado-de-cuenta/estado-de-cuenta.ts'
import { EstadoDeCuenta } from '../../../../../../src/domain/reports/estado-de-cuenta/schemas.ts'
import { mediaTypes } from '../../../../../../src/http/media.ts'
import { ReportQuery, sendReport, type ReportRoute } from '../../../../../../src/domain/reports/report.ts'
import { kinds } from '../../../../../../src/http/route-kinds.ts'

export default async function estadoDeCuentaRoutes (app: FastifyInstance) {
  app.get<ReportRoute>('/', {
    config: { access: 'read', kind: kinds.record, sql: estadoDeCuenta.query.text, csv: true, media: mediaTypes.pdf },
    schema: {
      tags: ['contracts'],
      operationId: 'retrieveEstadoDeCuenta',
      summary: 'Retrieve the statement of account (estado de cuenta) of a contract',
      description: 'The authorized estimates in the order of their authorization, each with its payments ' +
        'and the balance after it; what is retained, and what is left of the advance. ' +
        'With `Accept: application/pdf`, the answer has pages of letter size, in the language of the request.',
      querystring: ReportQuery,
      response: { 200: EstadoDeCuenta }
    }
  }, async (request, reply) => await sendReport(request, reply, estadoDeCuenta))
}
