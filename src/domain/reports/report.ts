import { Type, type Static, type TObject } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Row } from '../../database/connection/sql.ts'
import type { BatchQuery } from '../../database/turns/requests.ts'
import { httpError } from '../../http/errors.ts'
import { mediaTypes, wantsMedia } from '../../http/media.ts'
import { listFormats } from '../../http/list-formats.ts'
import { revisionOf } from '../../http/representation.ts'
import { columnsOf } from '../../resources/csv/columns.ts'
import { wantsCsv } from '../../resources/csv/wanted.ts'
import { recordId } from '../../resources/declaration/conditions.ts'
import type { Reader } from '../../resources/declaration/scope.ts'
import { Choice } from '../../resources/declaration/schemas.ts'
import { callerOf } from '../../limits/caller.ts'
import type { Scoped } from '../../resources/records.ts'
import type { Part } from '../../resources/reading/whole-list.ts'

/** A report about one record: an object as JSON, a table as CSV. */
export interface Report {
  /** Name of the CSV file, before the id. */
  name: string
  /** Returns the report as one row, or none for an unknown record. Its value is the id. */
  query: BatchQuery
  resource: Scoped
  /** Schema of the rows of the table. */
  Row: TObject
  /** The rows of the table, from the row of `query`. @throws {ValidationError} for too many */
  rowsOf: (report: Row) => Row[]
  /** The figures of the PDF, from the row of `query`. @throws {ValidationError} for too many */
  drawnOf?: (report: Row) => Row
}

/** The parameters of a report. */
export const ReportQuery = Type.Partial(Type.Object({
  format: Choice(listFormats, { description: 'Format of the answer. `csv` is the table of the report. Default: by `Accept`, otherwise `json`.', examples: ['json'] })
}), { additionalProperties: false })

/** A request for a report. */
export interface ReportRoute {
  Params: { id: string }
  Querystring: Static<typeof ReportQuery>
}

/** Answers with a report. @throws {HttpError} 404 for an unknown record */
export async function sendReport (request: FastifyRequest<ReportRoute>, reply: FastifyReply, report: Report): Promise<FastifyReply> {
  const { name, query, resource, Row, rowsOf, drawnOf } = report
  const id = recordId(request.params.id)
  const read = async (reader: Reader) => {
    const [row] = await reader(query, [id])
    if (row === undefined) throw httpError(404)
    return { row, rows: rowsOf(row) }
  }
  async function * parts (reader: Reader): AsyncGenerator<Part> {
    const { row, rows } = await read(reader)
    yield { ...revisionOf(row), rows }
  }
  if (wantsCsv(request)) return await reply.sendCsv({ name: `${name}-${id}`, columns: columnsOf(Row), resource, parts })
  const records = async () => await read(async (query, values) => await request.tenant.read(query, values))
  if (drawnOf !== undefined && wantsMedia(request)) {
    const language = request.messageLanguage()
    return await reply.sendCached(async () => {
      const { row } = await records()
      return { body: await request.server.drawPdf(callerOf(request), { report: Object(drawnOf(row)), language }), ...revisionOf(row) }
    }, { type: mediaTypes.pdf, variant: language, file: `${name}-${id}.pdf` })
  }
  return await reply.sendCached(async () => {
    const { row } = await records()
    return { body: row, ...revisionOf(row) }
  })
}
