import type { FastifyRequest } from 'fastify'
import type { Page } from './page.ts'

/** The paged list envelope. */
export interface Envelope {
  count: number
  next: string | null
  previous: string | null
  results: unknown[]
}

/** Wraps a page in the envelope, with the request's own parameters (sorted by name) in its links. `origin` is scheme and host. */
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
