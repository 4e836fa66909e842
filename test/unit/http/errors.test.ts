import t from 'tap'
import { httpErrors } from '@fastify/sensible'
import { httpError } from '../../../src/http/errors.ts'

t.test('an HTTP error is one of @fastify/sensible, without a stack trace', async (t) => {
  const limit = Error.stackTraceLimit
  const error = httpError(404)
  t.equal(Error.stackTraceLimit, limit, 'other errors keep their stack trace')
  t.type(error, httpErrors.HttpError)
  t.equal(error.statusCode, 404)
  t.equal(error.stack, 'NotFoundError: Not Found')
})
