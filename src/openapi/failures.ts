import { message, messages, type Language, type MessageKey } from '../http/messages.ts'
import type { MessageValues } from '../http/messages.ts'
import { nameOfCodes } from './failure-schemas.ts'
import { headersOf } from './headers.ts'
import type { Schema } from './standard.ts'

/** Code and message of an error answer. */
type Refusal = [code: string, key: MessageKey, values?: MessageValues]

const languages = Object.keys(messages) as Language[]

/** An example per language. @param name prefix, for answers with several errors */
function inLanguages (make: (language: Language) => object, name?: string): Schema {
  return Object.fromEntries(languages.map(language => [name === undefined ? language : `${name}.${language}`, { value: make(language) }]))
}

/** Fields of an error answer beside `detail` and `code`. */
type Extra = (language: Language, refusal: Refusal) => object

/**
 * An error answer.
 * @param refusals its errors, each with an example
 * @param schema name of the schema of its body
 * @param extra more fields of the examples
 */
function failure (status: number, description: string, refusals: Refusal[], schema = 'Problem', extra: Extra = () => ({})): Schema {
  const examples = refusals.map((refusal, index) => {
    const [code, key, values] = refusal
    const body = (language: Language) => ({ detail: message(language, key, values), code, ...extra(language, refusal) })
    return inLanguages(body, index === 0 ? undefined : code)
  })
  const codes = [...new Set(refusals.map(([code]) => code))]
  const code = codes.length === 1 ? { type: 'string', const: codes[0] } : { $ref: `#/components/schemas/${nameOfCodes(codes)}` }
  const withCode = { type: 'object', required: ['code'], properties: { code } }
  return {
    description,
    headers: headersOf(status),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: `#/components/schemas/${schema}` }, withCode] },
        examples: Object.assign({}, ...examples)
      }
    }
  }
}

/** For the 401 of an invalid token: the kind of token. */
const tokenMessages = (language: Language, [code]: Refusal) => code === 'token_not_valid'
  ? { messages: [{ token_class: 'AccessToken', token_type: 'access', message: message(language, 'tokenExpired') }] }
  : {}

const denied: Refusal = ['permission_denied', 'permissionDenied']
const noCompany: Refusal = ['no_active_company', 'noActiveCompany']
const companyChanged: Refusal = ['company_changed', 'companyChanged']

/** Error answers that routes share, by name: components of the document. */
export const failures = {
  Invalid: {
    description: 'Validation error. `errors` lists the problems by field, `codes` their codes.',
    headers: headersOf(400),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ValidationError' },
        examples: inLanguages(language => ({
          detail: message(language, 'invalidInput'),
          errors: { folio: [message(language, 'required')], monto: [message(language, 'maxDecimalPlaces', { max_decimal_places: 2 })] },
          codes: { folio: ['required'], monto: ['max_decimal_places'] }
        }))
      }
    }
  },
  Unauthorized: failure(401, 'Missing or invalid access token.', [
    ['not_authenticated', 'notAuthenticated'],
    ['bad_authorization_header', 'badAuthorizationHeader'],
    ['token_not_valid', 'tokenNotValid'],
    ['user_inactive', 'userInactive']
  ], 'TokenProblem', tokenMessages),
  Forbidden: failure(403, "The caller's level does not allow this operation.", [denied]),
  ForbiddenInCompany: failure(
    403,
    "The caller's level in the active company does not allow this operation, or the caller has no active company.",
    [denied, noCompany]
  ),
  ForbiddenToDevice: failure(403, 'The device belongs to another user or company, the user has too many devices, or no active company.', [
    ['device_taken', 'deviceTaken'],
    ['too_many_devices', 'tooManyDevices', { count: 100 }],
    noCompany
  ]),
  NotFound: failure(404, "No such record within the caller's reach.", [['not_found', 'notFound']]),
  NoSuchPage: failure(404, 'No such page.', [['not_found', 'invalidPage']]),
  NotAcceptable: failure(406, '`Accept` excludes JSON.', [['not_acceptable', 'notAcceptable']]),
  Conflict: failure(409, 'The state of the record forbids the change, or a request with the same `Idempotency-Key` is still running.', [
    ['conflict', 'conflict']
  ]),
  BulkConflict: failure(
    409,
    'The state of some records forbids the change; `errors` names their items.',
    [['conflict', 'estimateNotDraft']],
    'BulkProblem',
    (language, [, key]) => ({ errors: { 'items.3': [message(language, key)] }, codes: { 'items.3': ['conflict'] } })
  ),
  Protected: failure(409, 'Other records refer to the record, or its state forbids the deletion.', [
    ['protected', 'protectedRecord', {
      record: { en: 'This contract', es: 'Este contrato' },
      dependents: {
        en: 'it has subcontracts (2), estimates (5) or change orders (1)',
        es: 'tenga subcontratos (2), estimaciones (5) o convenios (1)'
      }
    }],
    ['conflict', 'estimateNotDeletable']
  ]),
  ProtectedAccount: failure(409, 'The service needs the record unchanged, or another request changed it at the same time.', [
    ['protected', 'lastSuperusuario'],
    ['conflict', 'conflict']
  ]),
  FileComplete: failure(409, 'The server has other bytes of the attachment already.', [['conflict', 'fileComplete']]),
  NothingFails: failure(409, 'No delivery of the webhook fails.', [['conflict', 'nothingFails']]),
  CompanyChanged: failure(409, 'The cursor belongs to another company than the active one.', [companyChanged]),
  DeviceConflict: failure(
    409,
    'The cursor belongs to another company than the active one, or the device has too many results that it has not acknowledged.',
    [companyChanged, ['too_many_results', 'tooManyResults', { count: 1000 }]]
  ),
  Resync: failure(
    410,
    'The cursor cannot be continued: its changes are purged (`truncated`), the database was restored (`forked`), ' +
      'or a release changed the records (`schema`).',
    [['resync', 'resync']],
    'ResyncProblem',
    () => ({ reason: 'truncated' })
  ),
  PreconditionFailed: failure(412, 'The record has changed since the version in `If-Match`.', [
    ['precondition_failed', 'preconditionFailed']
  ]),
  TooLarge: failure(413, 'The request body is larger than the limit of the operation, or has too many values.', [
    ['body_too_large', 'bodyOverLimit', { limit: '128 KiB' }],
    ['body_too_large', 'tooManyValues', { count: 66_000 }]
  ]),
  QuotaExceeded: failure(413, 'The files of the company would be larger than its quota.', [
    ['quota_exceeded', 'quotaExceeded', { quota: 10_000 }]
  ]),
  NotAFile: failure(415, 'The request body has another media type than those of files, or is compressed.', [
    ['unsupported_media_type', 'unsupportedMediaType', { media_type: 'text/plain' }]
  ]),
  UnsupportedMediaType: failure(415, 'The request body is not `application/json`, or for a bulk `text/csv`, not UTF-8 or compressed.', [
    ['unsupported_media_type', 'unsupportedMediaType', { media_type: 'text/plain' }]
  ]),
  IdempotencyMismatch: failure(422, 'This `Idempotency-Key` was used with another request.', [
    ['idempotency_mismatch', 'idempotencyMismatch']
  ]),
  Throttled: failure(
    429,
    'Limit exceeded: requests in this minute of the user, or of the address without a live session; ' +
      'or requests of the user or customer that are open at the same time.',
    [['throttled', 'throttledWait', { wait: 30 }], ['throttled', 'tooManyWaits', { most: 20, wait: 10 }]]
  ),
  Failed: failure(500, 'Server error, logged with the `X-Request-Id`.', [['error', 'serverError']]),
  Unavailable: failure(503, 'The server is overloaded or cannot reach its database, or the request takes too long.', [
    ['unavailable', 'unavailable'],
    ['unavailable', 'otherWrites'],
    ['unavailable', 'tooMuchWork']
  ])
} as const satisfies Record<string, Schema>

/** Error answers of the operations that tus uses, which have its headers. */
export const fileFailures = {
  FilePending: failure(409, 'The server does not have the bytes of the file yet.', [['conflict', 'filePending']]),
  FileLost: failure(410, 'The server has lost the bytes of the file. An upload of the same file brings them back.', [
    ['file_lost', 'fileLost']
  ]),
  WrongOffset: failure(409, 'The body does not begin at the offset of the upload.', [['conflict', 'wrongOffset', { offset: 262_144 }]]),
  TusVersion: failure(412, 'The server does not support the version of tus.', [
    ['precondition_failed', 'tusVersion', { version: '1.0.0' }]
  ]),
  PartPreconditionFailed: failure(
    412,
    'The record has changed since the version in `If-Match`, or the server does not support the version of tus.',
    [['precondition_failed', 'preconditionFailed'], ['precondition_failed', 'tusVersion', { version: '1.0.0' }]]
  ),
  RangeNotSatisfiable: failure(416, 'The file does not have the range.', [
    ['range_not_satisfiable', 'rangeNotSatisfiable', { bytes: 482_113 }]
  ])
} as const satisfies Record<string, Schema>
