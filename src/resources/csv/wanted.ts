import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route also answers with CSV. */
    csv?: boolean
  }
}

/** A query that can choose the format of the answer. */
interface Query {
  format?: string
}

/** Whether a request wants CSV: by `format`, or without it by `Accept`. */
export function wantsCsv (request: FastifyRequest<{ Querystring: Query }>): boolean {
  const { query: { format }, headers: { accept }, originalUrl } = request
  if (format === 'csv') return true
  if (accept === undefined || !/csv|text\/\*/i.test(accept)) return false
  // The query no longer has `format=json`.
  return !/[?&]format=json(?:&|$)/.test(originalUrl) && request.accepts().type(['json', 'text/csv']) === 'text/csv'
}
