import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { readBody } from '../src/http/read-body.ts'
import { compile } from '../src/resources/validation/compile.ts'
import { parseExactJson } from '../src/resources/validation/exact-json.ts'

/**
 * Parses JSON bodies with exact numbers and validates bodies and queries. Validators accept the same values as Django REST Framework,
 * report all problems together and convert values to their canonical form.
 */
export default fp(async function validation (app: FastifyInstance) {
  app.setValidatorCompiler(({ schema }) => compile(schema as object))

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const body = await readBody(payload, request.routeOptions.bodyLimit, request.headers['content-length'])
    return body === '' ? {} : parseExactJson(body)
  })
  // A missing body is validated as `{}`, so that the answer lists the required fields.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && request.routeOptions.schema?.body !== undefined) request.body = {}
    done()
  })
}, { name: 'validation' })
