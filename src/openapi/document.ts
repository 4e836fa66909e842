import { setImmediate as nextRound } from 'node:timers/promises'
import swagger from '@fastify/swagger'
import Fastify, { type FastifySchema, type RouteOptions } from 'fastify'
import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types'
import { noticeOf } from '../http/deprecation.ts'
import { answersOf, fileContent } from './answers.ts'
import { securitySchemes, sharedComponents } from './components.ts'
import { enumNames } from './enums.ts'
import { Examples } from './examples.ts'
import { info } from './info.ts'
import { accessOf, describedAccess } from './levels.ts'
import { hasDeprecated, operationsOf, pathOf, takesFields, type Operation } from './operation.ts'
import { parametersOf } from './parameters.ts'
import { withPartial } from './partial.ts'
import { Standard, type Schema } from './standard.ts'
import { tags } from './tags.ts'
import { webhooksOf } from './webhooks.ts'

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = OpenAPI.Document

/**
 * Makes the OpenAPI document of an application's routes. `@fastify/swagger` runs in a second Fastify instance, which has the same routes
 * with standard JSON Schemas, so it cannot affect the service. Then each operation gets the parameters and answers of its kind.
 * @param url scheme and host of the service, if they are known
 */
export async function describe (routes: RouteOptions[], url?: string): Promise<OpenApiDocument> {
  const operations = operationsOf(routes)
  const standard = new Standard(enumNames())
  const app = Fastify()
  app.setValidatorCompiler(() => () => true).setSerializerCompiler(() => JSON.stringify)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info,
      servers: serversOf(url),
      tags: tagsOf(operations),
      components: { securitySchemes }
    },
    convertConstToEnum: false,
    stripBasePath: false
  })
  for (const operation of operations) {
    await nextRound() // lets the server answer other requests
    app.route({ method: operation.method, url: operation.url, schema: standardSchema(operation, standard), handler: async () => null })
  }
  await app.ready()
  await nextRound()
  const document = app.swagger() as OpenApiDocument // of the version that is set above
  await app.close()

  const examples = new Examples(standard.components)
  for (const operation of operations) {
    await nextRound()
    const path: Schema | undefined = document.paths?.[pathOf(operation)]
    complete(path?.[operation.method.toLowerCase()], operation, examples, standard.components)
  }
  const webhooks = webhooksOf(standard)
  for (const { post } of Object.values(webhooks)) examples.complete(post.requestBody.content['application/json'])
  document['webhooks'] = webhooks
  document.components = sharedComponents(standard, examples.components, operations.some(hasDeprecated))
  return document
}

/** The address of the service, and for a document without one, that of a server on this machine. */
function serversOf (url: string | undefined): OpenAPI.ServerObject[] {
  if (url !== undefined) return [{ url, description: 'The service' }]
  return [
    { url: '/', description: 'The server of this document' },
    { url: 'http://127.0.0.1:3000', description: 'The demo server on your own machine' }
  ]
}

function standardSchema ({ schema, access, kind, deprecated }: Operation, standard: Standard): FastifySchema {
  const { body, querystring, response = {} } = schema
  const notice = deprecated === undefined ? undefined : noticeOf(deprecated)
  const descriptions = [schema['description'], notice, kind.rule, describedAccess(access)]
  return {
    operationId: schema['operationId'],
    summary: schema['summary'],
    description: descriptions.filter(Boolean).join('\n\n'),
    tags: schema['tags'] ?? [],
    ...deprecated === undefined ? {} : { deprecated: true },
    ...accessOf(access),
    ...querystring === undefined ? {} : { querystring: guarded(standard.of(querystring)) },
    ...body === undefined ? {} : { body: standard.of(body) },
    response: Object.fromEntries(Object.entries<Schema>(response).map(([status, answer]) => [status, standard.of(answer)]))
  }
}

/** A query whose references keep their descriptions: `@fastify/swagger` drops the keywords beside a `$ref`. `parametersOf` undoes it. */
function guarded (query: Schema): Schema {
  const guard = ({ $ref, ...others }: Schema) => $ref === undefined ? others : { allOf: [{ $ref }], ...others }
  const properties = Object.entries<Schema>(query['properties'] ?? {}).map(([name, schema]) => [name, guard(schema)])
  return { ...query, properties: Object.fromEntries(properties) }
}

/** A bulk as CSV. The first field that bodies require is the example of a column. */
function csvBodyOf ({ schema }: Operation): Schema {
  const item: Schema = schema['body'].properties.items.items
  const examples: Schema = item['examples']?.[0] ?? {}
  const fields = Object.keys(examples).filter(field => typeof examples[field] !== 'object')
  const rows = [fields, fields.map(field => `"${String(examples[field]).replaceAll('"', '""')}"`)]
  const description = 'A header of field names, then one row for each item. An empty cell omits its field, unless `empty=clear`. ' +
    '`<reference>.external_id` is a column too.'
  return { schema: { type: 'string', description }, example: `${rows.map(row => row.join(',')).join('\r\n')}\r\n` }
}

function tagsOf (operations: Operation[]): typeof tags {
  const used = new Set(operations.flatMap(operation => operation.schema['tags'] ?? []))
  return tags.filter(({ name }) => used.has(name))
}

function complete (described: Schema, operation: Operation, examples: Examples, schemas: Standard['components']): void {
  const { kind } = operation
  if (kind.bodyTypes !== undefined) described['requestBody'] = { required: true, content: fileContent(kind.bodyTypes) }
  if (kind.csvBody === true) described['requestBody'].content['text/csv'] = csvBodyOf(operation)
  described['parameters'] = parametersOf(operation, described['parameters'] ?? [])
  described['responses'] = answersOf(operation, described['responses'])
  for (const { content } of [described['requestBody'] ?? {}, ...Object.values<Schema>(described['responses'])]) {
    for (const media of Object.values<Schema>(content ?? {})) examples.complete(media)
  }
  if (takesFields(operation)) {
    const media = described['responses'][200].content['application/json']
    media.schema = withPartial(media.schema, schemas)
  }
}
