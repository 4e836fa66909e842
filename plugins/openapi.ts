import type { FastifyInstance, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../src/config.ts'
import type { OpenApiDocument } from '../src/openapi/document.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Makes the OpenAPI document of all routes. */
    openapi: () => Promise<OpenApiDocument>
  }
}

/**
 * Collects the routes for the OpenAPI document. The server does not start if one of them declares no kind. A second Fastify instance
 * generates the document, because route schemas are written for validation and serialization, which documentation must not change. It is
 * loaded on the first use.
 */
export default fp(async function openapi (app: FastifyInstance, { config }: { config?: Pick<Config, 'PUBLIC_URL'> }) {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    const { config, method, url, schema } = route
    if (schema?.hide !== true && config?.kind === undefined) throw new Error(`${String(method)} ${url} declares no kind`)
    routes.push(route)
  })
  app.decorate('openapi', async () => {
    const { describe } = await import('../src/openapi/document.ts')
    return await describe(routes, config?.PUBLIC_URL)
  })
}, { name: 'openapi' })
