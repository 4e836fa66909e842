import { Type, type Static, type TObject } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Row } from '../../database/connection/sql.ts'
import type { BatchQuery } from '../../database/turns/batch-requests.ts'
import { httpError } from '../../http/errors.ts'
import type { Language } from '../../http/messages.ts'
import { mediaTypes } from '../../http/media.ts'
import { listFormats } from '../../http/list-formats.ts'
import { revisionOf } from '../../http/representation.ts'
import { columnsOf } from '../../resources/csv/columns.ts'
import type { Reader } from '../../resources/declaration/scope.ts'
import { Choice } from '../../resources/declaration/schemas.ts'
import { callerOf } from '../../limits/caller.ts'
import type { Scoped } from '../../resources/records.ts'
import type { ListPart } from '../../resources/reading/whole-list.ts'
import { recordId } from '../../resources/validation/convert.ts'
import type { Drawing } from './drawing.ts'

/** A report about one record: an object as JSON, a table as CSV, pages as PDF. */
export interface Report {
  /** Name of the file, before the id. */
  name: string
  /** Returns the report as one row, or none for an unknown record. Its value is the id. */
  query: BatchQuery
  resource: Scoped
  /** Schema of the rows of the table. */
  Row: TObject
  /** The rows of the table, from the row of `query`. @throws {ValidationError} for too many */
  rowsOf: (report: Row) => Row[]
  /** The report as PDF, from the row of `query`. @throws {ValidationError} for too many rows */
  drawingOf: (report: Row, language: Language) => Drawing
}

/** The parameters of a report. */
export const ReportQuery = Type.Partial(Type.Object({
  format: Choice(listFormats, {
    title: 'ListFormat',
    description: 'Format of the answer. `csv` is the table of the report. Default: by `Accept`, otherwise `json`.',
    examples: ['json']
  })
}), { additionalProperties: false })

/** A request for a report. */
export interface ReportRoute {
  Params: { id: string }
  Querystring: Static<typeof ReportQuery>
}

/** Answers with a report. @throws {HttpError} 404 for an unknown record */
export async function sendReport (request: FastifyRequest<ReportRoute>, reply: FastifyReply, report: Report): Promise<FastifyReply> {
  const { name, query, resource, Row, rowsOf, drawingOf } = report
  const id = recordId(request.params.id)
  const read = async (reader: Reader) => {
    const [row] = await reader(query, [id])
    if (row === undefined) throw httpError(404)
    return { row, rows: rowsOf(row) }
  }
  async function * parts (reader: Reader): AsyncGenerator<ListPart> {
    const { row, rows } = await read(reader)
    yield { ...revisionOf(row), rows }
  }
  if (request.answerType === 'text/csv') return await reply.sendCsv({ name: `${name}-${id}`, columns: columnsOf(Row), resource, parts })
  const records = async () => await read(async (query, values) => await request.tenant.read(query, values))
  if (request.answerType === mediaTypes.pdf) {
    const language = request.messageLanguage()
    return await reply.sendCached(async () => {
      const { row } = await records()
      return { body: await request.server.draw(callerOf(request), drawingOf(row, language)), ...revisionOf(row) }
    }, { type: mediaTypes.pdf, variant: language, file: `${name}-${id}.pdf`, isCompressed: true })
  }
  return await reply.sendCached(async () => {
    const { row } = await records()
    return { body: row, ...revisionOf(row) }
  })
}
