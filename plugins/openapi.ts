import type { FastifyInstance, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { OpenApiDocument } from '../src/openapi/document.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document of all routes; made when it is first asked for. */
    openapi: () => Promise<OpenApiDocument>
  }
}

/** Takes note of the routes for the OpenAPI document. What makes it is loaded, and done, when somebody wants it. */
export default fp(async function openapi (app: FastifyInstance) {
  const routes: RouteOptions[] = []
  let document: Promise<OpenApiDocument> | undefined
  app.addHook('onRoute', route => { routes.push(route) })
  app.decorate('openapi', async () => await (document ??= import('../src/openapi/document.ts').then(async ({ describe }) => await describe(routes))))
}, { name: 'openapi' })
