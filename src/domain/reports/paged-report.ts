import type { TObject } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BatchQuery } from '../../database/turns/batch-requests.ts'
import { httpError } from '../../http/errors.ts'
import { revisionOf } from '../../http/representation.ts'
import { columnsOf } from '../../resources/csv/columns.ts'
import type { Reader } from '../../resources/declaration/scope.ts'
import { envelope } from '../../resources/reading/handlers.ts'
import type { OrderingKey } from '../../resources/reading/ordering-keys.ts'
import { pageOf, wantedPage, type ListQuery } from '../../resources/reading/page.ts'
import { maxListRows, tooManyRows, type ListPart } from '../../resources/reading/whole-list.ts'
import type { Scoped } from '../../resources/records.ts'
import { recordId } from '../../resources/validation/convert.ts'

/** Rows of one statement. Each statement also counts all rows of the report. */
const rowsOfStatement = 500

/** A report about one record with any number of rows: a page as JSON, all rows as CSV. */
export interface PagedReport {
  /** Name of the CSV file, before the id. */
  name: string
  /**
   * The statements of a page, by its start. Their values are the id of the record, the limit, the offset (negative for the last page) and,
   * with a cursor, the key of the last row of the page before. They return no row for an unknown record.
   */
  queries: Record<'offset' | 'cursor', BatchQuery>
  /** The order of the rows, by one field that no two rows share. */
  key: OrderingKey
  resource: Scoped
  /** Schema of a row. */
  Row: TObject
}

/** A request for a page of a report. */
export interface PagedReportRoute {
  Params: { id: string }
  Querystring: Pick<ListQuery, 'page' | 'page_size' | 'cursor' | 'format'>
}

/** Answers with a page of a report, or with all of it as CSV. @throws {HttpError} 404 for an unknown record or page */
export async function sendPagedReport (
  request: FastifyRequest<PagedReportRoute>, reply: FastifyReply, report: PagedReport
): Promise<FastifyReply> {
  const { name, queries, key, resource, Row } = report
  const id = recordId(request.params.id)
  if (request.answerType === 'text/csv') {
    return await reply.sendCsv({
      name: `${name}-${id}`, columns: columnsOf(Row), resource, parts: read => readWholeReport(read, report, id)
    })
  }
  return await reply.sendCached(async () => {
    const wanted = wantedPage(request.query, [key])
    const { start, limit, offset } = wanted
    const rows = await request.tenant.read(queries[start === undefined ? 'offset' : 'cursor'], [id, limit, offset, ...start ?? []])
    if (rows[0] === undefined) throw httpError(404)
    const page = pageOf(wanted, rows, [key])
    return { body: envelope(page, request.origin(), request), ...revisionOf(page) }
  })
}

/** Reads all rows of a report in parts. @throws {HttpError} 404 for an unknown record; {@link ValidationError} for too many rows */
async function * readWholeReport (read: Reader, { queries, key }: PagedReport, id: number): AsyncGenerator<ListPart> {
  let after: unknown
  while (true) {
    const rows = after === undefined
      ? await read(queries.offset, [id, rowsOfStatement, 0])
      : await read(queries.cursor, [id, rowsOfStatement, 0, after])
    const [first] = rows
    if (first === undefined) throw httpError(404)
    if (first['count'] > maxListRows) throw tooManyRows()
    const found = rows.filter(row => row['hit'] !== null)
    yield { ...revisionOf(first), rows: found }
    if (found.length < rowsOfStatement) return
    after = found.at(-1)?.[key.field]
  }
}
