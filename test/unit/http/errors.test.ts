import t from 'tap'
import { httpErrors } from '@fastify/sensible'
import { detailsOf, httpError, isHttpError } from '../../../src/http/errors.ts'

t.test('an HTTP error is one of @fastify/sensible, without a stack trace', async (t) => {
  const limit = Error.stackTraceLimit
  const error = httpError(404)
  t.equal(Error.stackTraceLimit, limit, 'other errors keep their stack trace')
  t.type(error, httpErrors.HttpError)
  t.equal(error.statusCode, 404)
  t.equal(error.stack, 'NotFoundError: Not Found')
})

t.test('has the texts of its status, unless others are given', async (t) => {
  t.match(detailsOf(httpError(404)), { code: 'not_found', key: 'notFound', values: undefined, headers: undefined })
  t.match(detailsOf(httpError(404, { key: 'invalidPage' })), { code: 'not_found', key: 'invalidPage' })
  t.match(detailsOf(httpError(401, { code: 'user_inactive' })), { code: 'user_inactive', key: 'notAuthenticated', headers: { 'www-authenticate': 'Bearer realm="api"' } })
  t.match(detailsOf(httpError(429, { values: { wait: 3 }, headers: { 'retry-after': '3' } })), { key: 'throttledWait', values: { wait: 3 }, headers: { 'retry-after': '3' } })
})

t.test('is distinguished from other errors, and from statuses that the API does not use', async (t) => {
  t.ok(isHttpError(httpError(409)))
  t.ok(isHttpError(httpErrors.conflict()))
  for (const error of [httpErrors.imateapot(), httpErrors.badGateway(), Object.assign(new Error(), { statusCode: 404 }), undefined]) t.notOk(isHttpError(error))
})
