import { limits } from '../config/limits.ts'
import { sizeText } from './body-limits.ts'
import { message, type Language } from './messages.ts'
import type { Cause, ErrorAnswer } from './error-answer.ts'
import { fileAnswers } from './file-answers.ts'

/** For the 401 of an invalid token: the kind of token. */
const tokenMessages = (language: Language, [code]: Cause) => code === 'token_not_valid'
  ? { messages: [{ token_class: 'AccessToken', token_type: 'access', message: message(language, 'tokenExpired') }] }
  : {}

const denied: Cause = ['permission_denied', 'permissionDenied']
const noCompany: Cause = ['no_active_company', 'noActiveCompany']
const companyChanged: Cause = ['company_changed', 'companyChanged']

/** Error answers that several routes have, by name: components of the OpenAPI document. A new one is added here. */
export const sharedAnswers = {
  Unauthorized: {
    status: 401,
    codes: 'UnauthorizedCode',
    description: 'Missing or invalid access token.',
    causes: [
      ['not_authenticated', 'notAuthenticated'],
      ['bad_authorization_header', 'badAuthorizationHeader'],
      ['token_not_valid', 'tokenNotValid'],
      ['user_inactive', 'userInactive']
    ],
    schema: 'TokenProblem',
    extra: tokenMessages
  },
  Forbidden: { status: 403, description: "The caller's level does not allow this operation.", causes: [denied] },
  ForbiddenInCompany: {
    status: 403,
    codes: 'ForbiddenCode',
    description: "The caller's level in the active company does not allow this operation, or the caller has no active company.",
    causes: [denied, noCompany]
  },
  ForbiddenToDevice: {
    status: 403,
    codes: 'DeviceForbiddenCode',
    description: 'The device belongs to another user or company, the user has too many devices, or no active company.',
    causes: [['device_taken', 'deviceTaken'], ['too_many_devices', 'tooManyDevices', { count: limits.devices.ofUser }], noCompany]
  },
  NotFound: { status: 404, description: "No such record within the caller's reach.", causes: [['not_found', 'notFound']] },
  NoSuchPage: { status: 404, description: 'No such page.', causes: [['not_found', 'invalidPage']] },
  NotAcceptable: { status: 406, description: '`Accept` excludes JSON.', causes: [['not_acceptable', 'notAcceptable']] },
  Conflict: {
    status: 409,
    description: 'The state of the record forbids the change, or a request with the same `Idempotency-Key` is still running.',
    causes: [['conflict', 'conflict']]
  },
  BulkConflict: {
    status: 409,
    description: 'The state of some records forbids the change; `errors` names their items.',
    causes: [['conflict', 'estimateNotDraft']],
    schema: 'BulkProblem',
    extra: (language, [, key]) => ({ errors: { 'items.3': [message(language, key)] }, codes: { 'items.3': ['conflict'] } })
  },
  Protected: {
    status: 409,
    codes: 'ProtectedCode',
    description: 'Other records refer to the record, or its state forbids the deletion.',
    causes: [
      ['protected', 'protectedRecord', {
        record: { en: 'This contract', es: 'Este contrato' },
        dependents: {
          en: 'it has subcontracts (2), estimates (5) or change orders (1)',
          es: 'tenga subcontratos (2), estimaciones (5) o convenios (1)'
        }
      }],
      ['conflict', 'estimateNotDeletable']
    ]
  },
  ProtectedAccount: {
    status: 409,
    codes: 'ProtectedCode',
    description: 'The service needs the record unchanged, or another request changed it at the same time.',
    causes: [['protected', 'lastSuperusuario'], ['conflict', 'conflict']]
  },
  FileComplete: {
    status: 409,
    description: 'The server has other bytes of the attachment already.',
    causes: [['conflict', 'fileComplete']]
  },
  NothingFails: { status: 409, description: 'No delivery of the webhook fails.', causes: [['conflict', 'nothingFails']] },
  CompanyChanged: { status: 409, description: 'The cursor belongs to another company than the active one.', causes: [companyChanged] },
  DeviceConflict: {
    status: 409,
    codes: 'DeviceConflictCode',
    description: 'The cursor belongs to another company than the active one, ' +
      'or the device has too many results that it has not acknowledged.',
    causes: [companyChanged, ['too_many_results', 'tooManyResults', { count: limits.devices.results }]]
  },
  Resync: {
    status: 410,
    description: 'The cursor cannot be continued: its changes are purged (`truncated`), the database was restored (`forked`), ' +
      'or a release changed the records (`schema`).',
    causes: [['resync', 'resync']],
    schema: 'ResyncProblem',
    extra: () => ({ reason: 'truncated' })
  },
  PreconditionFailed: {
    status: 412,
    description: 'The record has changed since the version in `If-Match`.',
    causes: [['precondition_failed', 'preconditionFailed']]
  },
  TooLarge: {
    status: 413,
    description: 'The request body is larger than the limit of the operation, or has too many values.',
    causes: [
      ['body_too_large', 'bodyOverLimit', { limit: sizeText(limits.bodies.record) }],
      ['body_too_large', 'tooManyValues', { count: limits.bodies.values }]
    ]
  },
  QuotaExceeded: {
    status: 413,
    description: 'The files of the company would be larger than its quota.',
    causes: [['quota_exceeded', 'quotaExceeded', { quota: 10_000 }]]
  },
  NotAFile: {
    status: 415,
    description: 'The request body has another media type than those of files, or is compressed.',
    causes: [['unsupported_media_type', 'unsupportedMediaType', { media_type: 'text/plain' }]]
  },
  UnsupportedMediaType: {
    status: 415,
    description: 'The request body is not `application/json`, or for a bulk `text/csv`, not UTF-8 or compressed.',
    causes: [['unsupported_media_type', 'unsupportedMediaType', { media_type: 'text/plain' }]]
  },
  IdempotencyMismatch: {
    status: 422,
    description: 'This `Idempotency-Key` was used with another request.',
    causes: [['idempotency_mismatch', 'idempotencyMismatch']]
  },
  Throttled: {
    status: 429,
    description: 'Limit exceeded: requests in this minute of the user, or of the address without a live session; ' +
      'or requests of the user or customer that are open at the same time.',
    causes: [['throttled', 'throttledWait', { wait: 30 }], ['throttled', 'tooManyWaits', { most: 20, wait: 10 }]]
  },
  Failed: {
    status: 500,
    description: 'Server error, logged with the `X-Request-Id`.',
    causes: [['error', 'serverError']]
  },
  Unavailable: {
    status: 503,
    description: 'The server is overloaded or cannot reach its database, or the request takes too long.',
    causes: [['unavailable', 'unavailable'], ['unavailable', 'otherWrites'], ['unavailable', 'tooMuchWork']]
  }
} satisfies Record<string, ErrorAnswer>

/** All error answers that a route can declare. */
export const errorAnswers = { ...sharedAnswers, ...fileAnswers }

/** Name of an error answer. */
export type ErrorAnswerName = keyof typeof errorAnswers
