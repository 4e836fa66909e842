import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { discardBody, hasNoBody, readText, unsupportedType } from '../src/http/request-body.ts'
import { callerOf } from '../src/limits/caller.ts'
import { compile } from '../src/resources/validation/compile.ts'
import type { Validator } from '../src/resources/validation/convert.ts'
import { parseInSlices } from '../src/resources/validation/exact-json.ts'
import { compileSliced, isSliced, sendersOf } from '../src/resources/validation/sliced.ts'

/**
 * Parses JSON bodies with exact numbers and validates bodies and queries. Validators accept the same values as Django REST Framework,
 * report all problems together and convert values to their canonical form.
 */
export default fp(async function validation (app: FastifyInstance) {
  app.setValidatorCompiler(({ schema }) => {
    const given = schema as object
    // Fastify's type wants a brand of a linter on promises.
    return isSliced(given) ? compileSliced(given) as unknown as Validator : compile(given)
  })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const body = await readText(request, payload)
    if (body === '') return {}
    const caller = callerOf(request)
    const parsed = await parseInSlices(body, caller)
    if (typeof parsed === 'object' && parsed !== null) sendersOf.set(parsed, caller)
    return parsed
  })
  // A chunked body can be empty too.
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { 'content-type': type, 'content-length': length } = request.headers
    if (!await discardBody(payload, length)) throw unsupportedType(type)
  })
  // Reads pass none of these hooks.
  app.addHook('onRoute', (route) => {
    if (!hasBodies(route)) return
    route.onRequest = [ignoreMissingBody, ...[route.onRequest ?? []].flat()]
    if (route.schema?.body !== undefined) route.preValidation = [validateMissingBody, ...[route.preValidation ?? []].flat()]
  })
}, { name: 'validation' })

/** Whether Fastify parses bodies of the route's requests. */
function hasBodies ({ method }: RouteOptions): boolean {
  return ![method].flat().every(one => one === 'GET' || one === 'HEAD')
}

/** Fastify refuses media types before it looks for a body. Clients such as axios send one with an empty POST. */
function ignoreMissingBody (request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (hasNoBody(request.raw)) delete request.raw.headers['content-type']
  done()
}

/** Replaces a missing body by `{}`, so that the answer lists the required fields. */
function validateMissingBody (request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (request.body === undefined) request.body = {}
  done()
}
