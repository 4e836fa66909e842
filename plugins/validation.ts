import type { FastifyInstance, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { ignoreMissingBody, refuseBody, replaceMissingBody } from '../src/http/request-body.ts'
import { compile } from '../src/resources/validation/compile.ts'
import type { Validator } from '../src/resources/validation/convert.ts'
import { jsonBodyParser, type TextLimits } from '../src/resources/validation/exact-json.ts'
import { compileSliced, isSliced } from '../src/resources/validation/sliced.ts'

/**
 * Parses JSON bodies with exact numbers and validates bodies and queries. Validators accept the same values as Django REST Framework,
 * report all problems together and convert values to their canonical form.
 */
export default fp(async function validation (app: FastifyInstance) {
  app.setValidatorCompiler(({ schema }) => {
    const given: object = schema
    if (!isSliced(given)) return compile(given)
    return compileSliced(given) as ReturnType<typeof compileSliced> & Validator // its type wants a linter's brand on promises
  })

  app.removeAllContentTypeParsers()
  const limits: TextLimits = { maxLength: 0 }
  app.addContentTypeParser('application/json', jsonBodyParser(limits))
  app.addContentTypeParser('*', refuseBody)
  // Reads pass none of these hooks.
  app.addHook('onRoute', (route) => {
    if (!hasBodies(route)) return
    const own = route.schema?.body === undefined ? Infinity : Math.max(longestText(route.schema.body), shortText)
    route.config = { ...route.config, longestText: own }
    if (own !== Infinity) limits.maxLength = Math.max(limits.maxLength, own)
    route.onRequest = [ignoreMissingBody, ...[route.onRequest ?? []].flat()]
    if (route.schema?.body !== undefined) route.preValidation = [replaceMissingBody, ...[route.preValidation ?? []].flat()]
  })
}, { name: 'validation' })

/** Characters of texts whose schema has another limit than a length, such as choices and days. */
const shortText = 1000

/** Characters of the longest text that a schema of bodies declares, or Infinity if it allows any fields. */
function longestText (schema: unknown): number {
  if (typeof schema !== 'object' || schema === null) return 0
  if ('additionalProperties' in schema && schema.additionalProperties === true) return Infinity
  const own = 'maxLength' in schema ? Number(schema.maxLength) : 0
  return Math.max(own, ...Object.values(schema).map(longestText))
}

/** Whether Fastify parses bodies of the route's requests. */
function hasBodies ({ method }: RouteOptions): boolean {
  return ![method].flat().every(one => one === 'GET' || one === 'HEAD')
}
