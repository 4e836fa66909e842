import type { FastifyRequest } from 'fastify'
import type { Row } from '../../database/connection/sql.ts'
import { revisionOf, versionOf } from '../../http/representation.ts'
import type { ListQuery, Page } from './page.ts'
import { type ById, listOptions, retrieveOptions, type Route, type SomeFields } from '../declaration/route-options.ts'
import type { AnyResource } from '../declaration/account-resource.ts'
import { columnsOf } from '../csv/columns.ts'
import type { ExportedList } from '../csv/exported-list.ts'
import { readWholeList } from './whole-list.ts'

/** GET of a list: one page in the envelope, or the whole list as CSV. */
export function list (resource: AnyResource): Route<{ Querystring: ListQuery }> {
  return {
    ...listOptions(resource),
    handler: async (request, reply) => {
      const { query } = request
      if (request.answerType === 'text/csv') return await reply.sendCsv(csvList(resource, query, request.records.zone))
      return await reply.sendCached(async () => {
        const page = await request.records.page(resource, query)
        const body = envelope(page, request.origin(), request)
        const { fields } = query
        return {
          body: fields === undefined ? body : JSON.stringify({ ...body, results: page.results.map(record => pick(record, fields)) }),
          ...revisionOf(page)
        }
      })
    }
  }
}

/** The whole list of a query, to export. */
function csvList (resource: AnyResource, query: ListQuery, zone: string): ExportedList {
  return {
    name: resource.name,
    columns: columnsOf(resource.schemas.item, query.fields),
    resource,
    parts: read => readWholeList(read, resource, query, zone)
  }
}

/** GET of a single record. */
export function retrieve (resource: AnyResource): Route<ById & SomeFields> {
  return {
    ...retrieveOptions(resource),
    handler: async (request, reply) => await reply.sendCached(async () => {
      const { fields } = request.query
      const record = await request.records.record(resource, request.params.id)
      return {
        body: fields === undefined ? record : JSON.stringify(pick(record, fields)), ...revisionOf(record), record: versionOf(record)
      }
    })
  }
}

/** The record with only the requested fields, in the order of its schema. */
function pick (record: Row, wanted: string[]): Row {
  return Object.fromEntries(Object.entries(record).filter(([field]) => wanted.includes(field)))
}

/** The envelope of a page. */
interface Envelope {
  count: number
  next: string | null
  previous: string | null
  results: unknown[]
  totals?: Page['totals']
  count_exact?: boolean
}

/** The URL of another page of a list. It contains the parameters of the request, sorted by name. `origin` is scheme and host. */
export function pageLink (origin: string, request: FastifyRequest, number: number, cursor?: string): string {
  const [, path = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(request.url) ?? []
  const parameters = new URLSearchParams(search)
  parameters.delete('page')
  parameters.delete('cursor')
  if (number > 1) parameters.set('page', String(number))
  if (cursor !== undefined) parameters.set('cursor', cursor)
  parameters.sort()
  const query = parameters.toString()
  return `${origin}${path.endsWith('/') ? path : `${path}/`}${query === '' ? '' : `?${query}`}`
}

/** Wraps a page in the envelope, with links as {@link pageLink}. */
export function envelope ({ count, isExact, totals, page, results, cursor }: Page, origin: string, request: FastifyRequest): Envelope {
  const link = (number: number, cursor?: string) => pageLink(origin, request, number, cursor)
  return {
    count,
    next: cursor === null ? null : link(page + 1, cursor),
    previous: page === 1 ? null : link(page - 1),
    results,
    ...totals === undefined ? {} : { totals },
    ...isExact === undefined ? {} : { count_exact: isExact }
  }
}
