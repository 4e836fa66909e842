import swagger from '@fastify/swagger'
import Fastify, { type FastifySchema, type RouteOptions } from 'fastify'
import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types'
import manifest from '../../package.json' with { type: 'json' }
import { answersOf } from './answers.ts'
import { securitySchemes, sharedComponents } from './components.ts'
import { operationsOf, takesBody, type Operation } from './operation.ts'
import { parametersOf } from './parameters.ts'
import { Standard, type Schema } from './standard.ts'
import { tagOf, tags } from './tags.ts'
import { accessOf, describedAccess } from './levels.ts'

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = OpenAPI.Document

/**
 * The OpenAPI document of an application's routes. It is made by `@fastify/swagger` in a Fastify instance of its own, which has the same routes with
 * schemas in standard JSON Schema and does nothing else, so that describing the service changes nothing of it.
 */
export async function describe (routes: RouteOptions[]): Promise<OpenApiDocument> {
  const operations = operationsOf(routes)
  const standard = new Standard()
  const app = Fastify()
  app.setValidatorCompiler(() => () => true).setSerializerCompiler(() => JSON.stringify)
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info, servers: [{ url: '/', description: 'the server that this document comes from' }], tags, components: { securitySchemes } },
    convertConstToEnum: false,
    stripBasePath: false
  })
  for (const operation of operations) {
    app.route({ method: operation.method, url: operation.url, schema: standardSchema(operation, standard), handler: async () => null })
  }
  await app.ready()
  const document = app.swagger() as unknown as OpenApiDocument
  for (const operation of operations) complete(document, operation)
  document.components = sharedComponents(standard)
  await app.close()
  return document
}

const info: OpenAPI.InfoObject = {
  title: 'Obra',
  version: manifest.version,
  license: { name: 'MIT', identifier: 'MIT' },
  description: 'Construction management: contracts, estimates and counterparties of several companies.'
}

function standardSchema (operation: Operation, standard: Standard): FastifySchema {
  const { schema, access } = operation
  const { body, querystring, response = {} } = schema
  return {
    operationId: schema['operationId'],
    summary: schema['summary'],
    description: [schema['description'], describedAccess(access)].filter(Boolean).join('\n\n') || undefined,
    tags: schema['tags'] ?? [tagOf(operation)],
    ...accessOf(access),
    ...querystring === undefined ? {} : { querystring: standard.of(querystring, 'query') },
    ...body === undefined || !takesBody(operation) ? {} : { body: standard.of(body) },
    response: Object.fromEntries(Object.entries<Schema>(response).map(([status, answer]) => [status, standard.of(answer)]))
  }
}

/** Adds what all routes of a kind have in common. */
function complete (document: OpenApiDocument, operation: Operation): void {
  const path = operation.url.replace(/:(\w+)/g, '{$1}')
  const described = document.paths?.[path]?.[operation.method.toLowerCase() as 'get']
  if (described === undefined) return
  described.parameters = parametersOf(operation, described.parameters ?? [])
  described.responses = answersOf(operation, described.responses ?? {})
}
