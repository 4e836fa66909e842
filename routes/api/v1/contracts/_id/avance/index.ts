import type { FastifyInstance } from 'fastify'
import { avance } from '../../../../../../src/domain/reports/avance/avance.ts'
import { defaultWidth, progressSchemas, type ProgressQuery } from '../../../../../../src/domain/reports/avance/schemas.ts'
import { curveQuery } from '../../../../../../src/domain/reports/avance/statement.ts'
import { sendPagedReport, type PagedReportRoute } from '../../../../../../src/domain/reports/paged-report.ts'
import { mediaTypes } from '../../../../../../src/http/media.ts'
import { refuse } from '../../../../../../src/http/errors.ts'
import { revisionOf } from '../../../../../../src/http/representation.ts'
import { kinds } from '../../../../../../src/http/route-kinds.ts'
import { callerOf } from '../../../../../../src/limits/caller.ts'
import { recordId } from '../../../../../../src/resources/validation/convert.ts'

/** Parameters of the page of records, and of the drawing. */
const [pageParameters, drawingParameters] = [['page', 'page_size', 'cursor'], ['width']] as const

export default async function contractProgressRoutes (app: FastifyInstance) {
  app.get<PagedReportRoute & { Querystring: ProgressQuery }>('/', {
    config: { access: 'read', kind: kinds.list, sql: avance.queries.offset.text + curveQuery.text, csv: true, media: mediaTypes.svg },
    schema: {
      tags: ['contracts'],
      operationId: 'listContractProgress',
      summary: 'List what is planned and executed of a contract, accumulated per period',
      description: 'With `Accept: image/svg+xml`, the answer is the S-curve, in the language of the request. ' +
        'The drawing accepts `width`, and refuses `page`, `page_size` and `cursor`. Other formats refuse `width`.',
      ...progressSchemas
    }
  }, async (request, reply) => {
    const { tenant, params: { id }, query, answerType } = request
    const isDrawing = answerType === mediaTypes.svg
    const refusedParameters = isDrawing ? pageParameters : drawingParameters
    refuse(refusedParameters.filter(field => field in query).map(field => ({ field, key: 'unknownParameter' })))
    if (!isDrawing) return await sendPagedReport(request, reply, avance)
    const contract = recordId(id)
    const language = request.messageLanguage()
    return await reply.sendCached(async () => {
      const rows = await tenant.read(curveQuery, [contract])
      app.assert(rows[0], 404)
      const figures = { rows, width: query.width ?? defaultWidth }
      return { body: await app.draw(callerOf(request), { report: 'avance', figures, language }), ...revisionOf(rows[0]) }
    }, { type: `${mediaTypes.svg}; charset=utf-8`, variant: language })
  })
}
