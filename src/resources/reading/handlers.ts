import type { FastifyRequest } from 'fastify'
import type { Row } from '../../database/connection/sql.ts'
import { revisionOf, type Versioned } from '../../http/representation.ts'
import type { ListQuery, Page } from './page.ts'
import { type ById, listOptions, retrieveOptions, type Route, type SomeFields } from '../declaration/route-options.ts'
import type { AnyResource } from '../declaration/account-resource.ts'

/** GET of a list: one page in the envelope. */
export function list (resource: AnyResource): Route<{ Querystring: ListQuery }> {
  return {
    ...listOptions(resource),
    handler: async (request, reply) => await reply.sendCached(async () => {
      const { query } = request
      const page = await request.records.page(resource, query)
      const body = envelope(page, request.origin(), request)
      const { fields } = query
      return { body: fields === undefined ? body : JSON.stringify({ ...body, results: page.results.map(record => pick(record, fields)) }), ...revisionOf(page) }
    })
  }
}

/** GET of a single record. */
export function retrieve (resource: AnyResource): Route<ById & SomeFields> {
  return {
    ...retrieveOptions(resource),
    handler: async (request, reply) => await reply.sendCached(async () => {
      const { fields } = request.query
      const record = await request.records.record(resource, request.params.id)
      return { body: fields === undefined ? record : JSON.stringify(pick(record, fields)), ...revisionOf(record), record: record as Versioned }
    })
  }
}

/** The record with only the requested fields, in the order of its schema. */
export function pick (record: Row, wanted: string[]): Row {
  return Object.fromEntries(Object.entries(record).filter(([field]) => wanted.includes(field)))
}

/** The envelope of a page. */
export interface Envelope {
  count: number
  next: string | null
  previous: string | null
  results: unknown[]
}

/** Wraps a page in the envelope. Its links contain the parameters of the request, sorted by name. `origin` is scheme and host. */
export function envelope ({ count, page, results, cursor }: Page, origin: string, request: FastifyRequest): Envelope {
  const [, path = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(request.url) ?? []
  const link = (number: number, cursor?: string) => {
    const parameters = new URLSearchParams(search)
    parameters.delete('page')
    parameters.delete('cursor')
    if (number > 1) parameters.set('page', String(number))
    if (cursor !== undefined) parameters.set('cursor', cursor)
    parameters.sort()
    const query = parameters.toString()
    return `${origin}${path.endsWith('/') ? path : `${path}/`}${query === '' ? '' : `?${query}`}`
  }
  return {
    count,
    next: cursor === null ? null : link(page + 1, cursor),
    previous: page === 1 ? null : link(page - 1),
    results
  }
}
