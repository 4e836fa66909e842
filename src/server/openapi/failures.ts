import { message, messages, type Language, type MessageKey } from '../../http/messages.ts'
import type { MessageValues } from '../../http/errors.ts'
import { headersOf } from './headers.ts'
import type { Schema } from './standard.ts'

/** What an answer other than success can say: its code and the message that comes with it. */
type Refusal = [code: string, key: MessageKey, values?: MessageValues]

const languages = Object.keys(messages) as Language[]

/** An example in each language; `name` tells those of several refusals apart. */
function inLanguages (make: (language: Language) => object, name?: string): Schema {
  return Object.fromEntries(languages.map(language => [name === undefined ? language : `${name}.${language}`, { value: make(language) }]))
}

function failure (status: number, description: string, refusals: Refusal[], schema = 'Problem', extra: (language: Language, refusal: Refusal) => object = () => ({})): Schema {
  const examples = refusals.map((refusal, index) => {
    const [code, key, values] = refusal
    return inLanguages(language => ({ detail: message(language, key, values), code, ...extra(language, refusal) }), index === 0 ? undefined : code)
  })
  const codes = [...new Set(refusals.map(([code]) => code))]
  return {
    description,
    headers: headersOf(status),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: `#/components/schemas/${schema}` }, { type: 'object', required: ['code'], properties: { code: { type: 'string', enum: codes } } }] },
        examples: Object.assign({}, ...examples)
      }
    }
  }
}

/** The 401 of a token that was given and is not valid says of which kind. */
const tokenMessages = (language: Language, [code]: Refusal) => code === 'token_not_valid'
  ? { messages: [{ token_class: 'AccessToken', token_type: 'access', message: message(language, 'tokenExpired') }] }
  : {}

const denied: Refusal = ['permission_denied', 'permissionDenied']

/** The answers other than success that routes have in common, by name. */
export const failures = {
  Invalid: {
    description: 'Something is wrong with the request. All of it is told at once, by field.',
    headers: headersOf(400),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ValidationError' },
        examples: inLanguages(language => ({
          detail: message(language, 'invalidInput'),
          errors: { folio: [message(language, 'required')], monto: [message(language, 'maxDecimalPlaces', { max_decimal_places: 2 })] }
        }))
      }
    }
  },
  Unauthorized: failure(401, 'There is no access token, or none that is valid now.', [
    ['not_authenticated', 'notAuthenticated'],
    ['bad_authorization_header', 'badAuthorizationHeader'],
    ['token_not_valid', 'tokenNotValid'],
    ['user_inactive', 'userInactive']
  ], 'TokenProblem', tokenMessages),
  Forbidden: failure(403, "The caller's level does not admit it.", [denied]),
  ForbiddenInCompany: failure(403, "The caller's level in the active company does not admit it, or there is no active company.", [denied, ['no_active_company', 'noActiveCompany']]),
  NotFound: failure(404, 'There is no such record in reach of the caller.', [['not_found', 'notFound']]),
  NoSuchPage: failure(404, 'The list has no such page.', [['not_found', 'invalidPage']]),
  NotAcceptable: failure(406, '`Accept` admits no JSON.', [['not_acceptable', 'notAcceptable']]),
  Conflict: failure(409, 'The present state does not admit it, or a request under the same `Idempotency-Key` is still running.', [['conflict', 'conflict']]),
  BulkConflict: failure(409, 'The present state of some of the records does not admit it; `errors` names their items.', [['conflict', 'estimateNotDraft']], 'BulkProblem',
    (language, [, key]) => ({ errors: { 'items.3': [message(language, key)] } })),
  Protected: failure(409, 'Other records refer to it, or its present state does not admit it.', [
    ['protected', 'protectedContract', { hijos: 2, estimates: 5 }],
    ['conflict', 'estimateNotDeletable']
  ]),
  ProtectedAccount: failure(409, 'The service needs it as it is, or another request has changed it at the same moment.', [['protected', 'lastSuperusuario'], ['conflict', 'conflict']]),
  PreconditionFailed: failure(412, 'The record has another version than `If-Match` names: somebody has changed it.', [['precondition_failed', 'preconditionFailed']]),
  TooLarge: failure(413, 'The body is larger than the route admits.', [['body_too_large', 'bodyTooLarge']]),
  UnsupportedMediaType: failure(415, 'The body is not `application/json`.', [['unsupported_media_type', 'unsupportedMediaType', { media_type: 'text/plain' }]]),
  IdempotencyMismatch: failure(422, 'Something else was asked under this `Idempotency-Key`.', [['idempotency_mismatch', 'idempotencyMismatch']]),
  Throttled: failure(429, 'The user or, of requests without a live session, the address has made too many requests in this minute.', [['throttled', 'throttledWait', { wait: 30 }]]),
  Failed: failure(500, 'A fault of the server; the log has it under the `X-Request-Id`.', [['error', 'serverError']]),
  Unavailable: failure(503, 'The server has more to do than it can, or its database cannot be reached.', [['unavailable', 'unavailable']])
} as const satisfies Record<string, Schema>

const detail = {
  detail: { type: 'string', description: "message in the caller's language" },
  code: { type: 'string', description: 'what programs go by: it never changes with the language' }
}

/** The bodies of those. */
export const failureSchemas: Record<string, Schema> = {
  ValidationError: {
    description: 'What is wrong with a request.',
    type: 'object',
    required: ['detail', 'errors'],
    properties: {
      detail: { type: 'string', description: "general message, in the caller's language" },
      errors: {
        type: 'object',
        description: 'messages by field, such as `folio` or, of an item of a list, `items.3.folio`; those of no one field are under `non_field_errors`',
        additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 }
      }
    }
  },
  Problem: {
    description: 'Why a request was refused.',
    type: 'object',
    required: ['detail', 'code'],
    properties: detail
  },
  TokenProblem: {
    description: 'Why a token was refused.',
    type: 'object',
    required: ['detail', 'code'],
    properties: {
      ...detail,
      messages: {
        type: 'array',
        description: 'beside `token_not_valid`: what is wrong with the token',
        items: {
          type: 'object',
          required: ['token_class', 'token_type', 'message'],
          properties: { token_class: { type: 'string', const: 'AccessToken' }, token_type: { type: 'string', const: 'access' }, message: { type: 'string' } }
        }
      }
    }
  },
  BulkProblem: {
    description: 'Why a bulk was refused: the first conflict as `detail` and `code` and, where items are the cause, those of all under `errors`.',
    type: 'object',
    required: ['detail', 'code'],
    properties: {
      ...detail,
      errors: { type: 'object', description: 'messages by item, such as `items.3`', additionalProperties: { type: 'array', items: { type: 'string' } } }
    }
  }
}
