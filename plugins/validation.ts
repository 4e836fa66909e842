import { Ajv } from 'ajv'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { nonFieldErrors, ValidationError } from '../src/errors.ts'
import { addKeywords } from '../src/validation/keywords.ts'
import { parseExactJson } from '../src/validation/exact-json.ts'

const options = { allErrors: true, verbose: true, allowUnionTypes: true, strictTypes: false } as const
// One of each a process: they remember what they have compiled, and the schemas are the same for every server.
const bodies = addKeywords(new Ajv(options))
const texts = addKeywords(new Ajv({ ...options, coerceTypes: true }))
for (const ajv of [bodies, texts]) ajv.addVocabulary(['references'])

/**
 * What comes in: JSON bodies with every number exact, strictly typed; paths and queries as text that is read as the type their
 * schema names. Validators report everything at once and bring values into their one form.
 */
export default fp(async function validation (app: FastifyInstance) {
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'body' ? bodies : texts).compile(schema as object))

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    let parsed: unknown = {}
    try {
      if (body !== '') parsed = parseExactJson(body as string)
    } catch (error) {
      return done(new ValidationError([{ field: nonFieldErrors, key: 'jsonParse', values: { error: (error as Error).message } }]))
    }
    done(null, parsed)
  })
  // A body that is left out is one without fields: the answer then names those that are required.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && request.routeOptions.schema?.body !== undefined) request.body = {}
    done()
  })
}, { name: 'validation' })
