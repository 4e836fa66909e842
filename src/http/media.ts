import type { FastifyRequest } from 'fastify'

/** Media types of answers that are neither JSON nor CSV: drawings, and pages to sign. */
export const mediaTypes = { svg: 'image/svg+xml', pdf: 'application/pdf' } as const

/** One of {@link mediaTypes}. */
export type MediaType = typeof mediaTypes[keyof typeof mediaTypes]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media type in which the route also answers. */
    media?: MediaType
  }
}

/** Whether a request wants the media type of its route: by `Accept`, unless `format` names another format. */
export function wantsMedia (request: FastifyRequest): boolean {
  const { headers: { accept }, originalUrl, routeOptions: { config: { media } } } = request
  if (media === undefined || accept === undefined || /[?&]format=/.test(originalUrl)) return false
  return request.accepts().type(['json', 'text/csv', media]) === media
}
