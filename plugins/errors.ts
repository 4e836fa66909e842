import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { brokenConstraints } from '../src/database/connection/channels.ts'
import { isUnfit } from '../src/database/connection/connection-check.ts'
import { constraintOf, isDataError, isUnavailable } from '../src/database/connection/sql-errors.ts'
import { Crowded } from '../src/database/turns/crowded.ts'
import { StoreError } from '../src/domain/adjuntos/file-store.ts'
import {
  detailsOf, httpError, isHttpError, malformedRequest, ValidationError, type HttpError, errorList, sayIn
} from '../src/http/errors.ts'
import { codeOf } from '../src/files/errors.ts'
import { SpoolError } from '../src/http/spool.ts'
import { isTus } from '../src/http/tus.ts'
import { isProbe } from '../src/limits/caller.ts'
import { refusals } from '../src/limits/refusals.ts'
import { problemsOf } from '../src/resources/validation/problems.ts'
import { unexplained } from '../src/resources/writing/constraint-errors.ts'

/** Limit of the constraints whose first violation is logged. */
const maxLogged = 100

/**
 * Errors of a disk that is full, broken, unmounted or not writable, of a file in the place of a folder, and of too many open files. A
 * caller can try again after these seconds.
 */
const diskErrors = ['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'EIO', 'ENODEV', 'ESTALE', 'EEXIST', 'ENOTDIR', 'EMFILE', 'ENFILE']
const retryAfterDisk = '60'

/** Seconds after which a caller can ask again for files whose service does not answer. */
const retryAfterStore = '10'

const json = 'application/json; charset=utf-8'

/** Sends every error as JSON in the caller's language. Internal errors are logged, not shown. */
export default fp(async function errors (app: FastifyInstance) {
  const refused = refusals(app.log)
  const logged = new Set<string>()
  const logOnce = (error: unknown) => {
    const name = `${codeOf(error)} ${constraintOf(error) ?? ''}`
    if (logged.has(name) || logged.size === maxLogged) return
    logged.add(name)
    app.log.error({ err: error }, 'a constraint of the database has no message')
  }
  brokenConstraints.subscribe(logOnce)
  app.addHook('onClose', async () => { brokenConstraints.unsubscribe(logOnce) })
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const translated = error instanceof ValidationError || isHttpError(error) ? error : translate(error, request)
    const answer = translated.statusCode < 500 ? counted(translated, request) : translated
    if (error instanceof Crowded && error.isGivenUp) request.log.warn({ err: error }, 'a request took too long and was given up')
    else if (error instanceof Crowded) refused()
    else if (answer.statusCode >= 500 && !isUnfit(error)) request.log.error({ err: error }, 'request failed')
    return send(answer, request, reply)
  })
}, { name: 'errors', dependencies: ['negotiation', 'rate-limit'] })

/**
 * Counts a refusal that came before authorization, such as that of a malformed URL. Otherwise, an address could have any number of them.
 * @returns the error, or the 429
 */
function counted (error: HttpError | ValidationError, request: FastifyRequest): HttpError | ValidationError {
  if (request.isCounted || isProbe(request.routeOptions.url)) return error
  try {
    request.server.throttleAddress(request)
    return error
  } catch (limit) {
    if (isHttpError(limit)) return limit
    throw limit
  }
}

function send (error: HttpError | ValidationError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const say = sayIn(request.messageLanguage())
  // A route's response schema must not drop fields of an error.
  reply.code(error.statusCode).serializer((payload: unknown) => JSON.stringify(payload))
  if (error instanceof ValidationError) return reply.type(json).send({ detail: say('invalidInput'), ...errorList(error.problems, say) })

  const { code, key, values, headers = {}, extra } = detailsOf(error)
  const detail = say(key, values)
  if (error.statusCode === 429 && isTus(request.raw)) {
    return reply.code(503).headers(headers).type(json).send({ detail, code: 'unavailable' })
  }
  return reply.headers(headers).type(json).send({ detail, code, ...extra?.(say) })
}

/** Translates errors of Fastify and of the database drivers. Any other error is a 500. */
function translate (error: FastifyError, request: FastifyRequest): HttpError | ValidationError {
  if (error.validation !== undefined) {
    return new ValidationError(problemsOf(error.validation, error.validationContext))
  }
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_CONTENT_TYPE':
      return httpError(415, { values: { media_type: request.headers['content-type'] ?? '' } })
  }
  // Errors at a commit, or of routes with statements of their own.
  if (request.method !== 'GET' && isDataError(error)) return unexplained(error)
  if (error instanceof Crowded) return crowded(error)
  if (diskErrors.includes(error.code)) return httpError(503, { headers: { 'retry-after': retryAfterDisk } })
  if (error instanceof StoreError) return httpError(503, { headers: { 'retry-after': retryAfterStore } })
  if (isUnfit(error) || isUnavailable(error) || error instanceof SpoolError) return httpError(503)
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) return malformedRequest()
  return httpError(500)
}

function crowded ({ key, retryAfter }: Crowded): HttpError {
  return httpError(503, {
    ...key !== undefined && { key },
    ...retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }
  })
}
