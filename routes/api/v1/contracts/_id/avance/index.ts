import type { FastifyInstance } from 'fastify'
import { avance } from '../../../../../../src/domain/reports/avance/avance.ts'
import { defaultWidth, progressSchemas, type ProgressQuery } from '../../../../../../src/domain/reports/avance/schemas.ts'
import { curveQuery } from '../../../../../../src/domain/reports/avance/statement.ts'
import { sendPagedReport, type PagedReportRoute } from '../../../../../../src/domain/reports/paged-report.ts'
import { mediaTypes, wantsMedia } from '../../../../../../src/http/media.ts'
import { revisionOf } from '../../../../../../src/http/representation.ts'
import { recordId } from '../../../../../../src/resources/declaration/conditions.ts'

export default async function contractProgressRoutes (app: FastifyInstance) {
  app.get<PagedReportRoute & { Querystring: ProgressQuery }>('/', {
    config: { access: 'read', sql: avance.queries.offset.text + curveQuery.text, csv: true, media: mediaTypes.svg },
    schema: {
      operationId: 'listContractProgress',
      summary: 'List what is planned and executed of a contract, accumulated per period',
      description: 'With `Accept: image/svg+xml`, the answer is the S-curve, in the language of the request.',
      ...progressSchemas
    }
  }, async (request, reply) => {
    if (!wantsMedia(request)) return await sendPagedReport(request, reply, avance)
    const { tenant, params: { id }, query: { width = defaultWidth } } = request
    const contract = recordId(id)
    // Servers that draw nothing do not load the library.
    const { drawCurve } = await import('../../../../../../src/domain/reports/avance/curve.ts')
    const language = request.messageLanguage()
    return await reply.sendCached(async () => {
      const rows = await tenant.read(curveQuery, [contract])
      app.assert(rows[0], 404)
      return { body: drawCurve(rows, language, width), ...revisionOf(rows[0]) }
    }, { type: `${mediaTypes.svg}; charset=utf-8`, variant: language })
  })
}
