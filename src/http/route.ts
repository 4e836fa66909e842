import type { FastifyRequest } from 'fastify'

/** The pattern of the route that a request has matched, as its address is printed, with the slash; undefined where none has. */
export function routeOf (request: FastifyRequest): string | undefined {
  const { url } = request.routeOptions
  return url === undefined || url.endsWith('/') ? url : `${url}/`
}

const health = /^\/health\//

/** Whether a request is a probe, of which there is one every few seconds. */
export function isProbe (route: string | undefined): boolean {
  return route !== undefined && health.test(route)
}
