import type { FastifyInstance } from 'fastify'
import { EstadoDeCuenta, estadoDeCuenta } from '../../../../../../src/domain/reports/estado-de-cuenta.ts'
import { ReportQuery, sendReport, type ReportRoute } from '../../../../../../src/domain/reports/report.ts'

export default async function estadoDeCuentaRoutes (app: FastifyInstance) {
  app.get<ReportRoute>('/', {
    config: { access: 'read', sql: estadoDeCuenta.query.text, csv: true },
    schema: {
      operationId: 'retrieveEstadoDeCuenta',
      summary: 'Retrieve the statement of account (estado de cuenta) of a contract',
      description: 'The authorized estimates in the order of their authorization, each with its payments ' +
        'and the balance after it; what is retained, and what is left of the advance.',
      querystring: ReportQuery,
      response: { 200: EstadoDeCuenta }
    }
  }, async (request, reply) => await sendReport(request, reply, estadoDeCuenta))
}
