import { codesOfProblems } from '../http/problem-codes.ts'
import { resyncReasons } from '../resources/feed/cursor.ts'
import type { Schema } from './standard.ts'

const detail = {
  detail: { type: 'string', description: 'Message in the language of the request.' },
  code: { type: 'string', description: 'Error code for programs, the same in every language.' }
}

const codes = {
  type: 'object',
  description: 'Codes by field, in the order of the messages in `errors`.',
  additionalProperties: { type: 'array', items: { $ref: '#/components/schemas/ProblemCode' }, minItems: 1 }
}

/** Codes of answers that have several ones. */
const codesOfAnswers: Record<string, string[]> = {
  UnauthorizedCode: ['not_authenticated', 'bad_authorization_header', 'token_not_valid', 'user_inactive'],
  ForbiddenCode: ['permission_denied', 'no_active_company'],
  DeviceForbiddenCode: ['device_taken', 'too_many_devices', 'no_active_company'],
  ProtectedCode: ['protected', 'conflict'],
  DeviceConflictCode: ['company_changed', 'too_many_results']
}

/** The name of the schema of an answer's codes. @throws {Error} if there is none */
export function nameOfCodes (codes: readonly string[]): string {
  const [name] = Object.entries(codesOfAnswers).find(([, words]) => String(words) === String(codes)) ?? []
  if (name === undefined) throw new Error(`these codes have no name: ${codes.join()}`)
  return name
}

/** Schemas of the bodies of error answers. */
export const failureSchemas: Record<string, Schema> = {
  ...Object.fromEntries(Object.entries(codesOfAnswers).map(([name, words]) => [name, { type: 'string', enum: words }])),
  ResyncReason: { type: 'string', enum: [...resyncReasons] },
  ProblemCode: {
    description: 'Code of a problem for programs, the same in every language. Messages of the same kind share a code.',
    type: 'string',
    enum: [...codesOfProblems]
  },
  ValidationError: {
    description: 'Problems of a request.',
    type: 'object',
    required: ['detail', 'errors', 'codes'],
    properties: {
      detail: { type: 'string', description: 'General message in the language of the request.' },
      errors: {
        type: 'object',
        description: 'Messages by field, such as `folio`, or `items.3.folio` for an item of a list. ' +
          'Other messages are under `non_field_errors`.',
        additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 }
      },
      codes
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
        description: 'With the code `token_not_valid`: the problem of the token.',
        items: {
          type: 'object',
          required: ['token_class', 'token_type', 'message'],
          properties: {
            token_class: { type: 'string', const: 'AccessToken' },
            token_type: { type: 'string', const: 'access' },
            message: { type: 'string' }
          }
        }
      }
    }
  },
  ResyncProblem: {
    description: 'Why a cursor cannot be continued.',
    type: 'object',
    required: ['detail', 'code', 'reason'],
    properties: { ...detail, reason: { $ref: '#/components/schemas/ResyncReason' } }
  },
  BulkProblem: {
    description: 'Why a bulk was refused. `detail` and `code` are of the first conflict. ' +
      'If items are the cause, `errors` lists the conflicts of all items.',
    type: 'object',
    required: ['detail', 'code'],
    properties: {
      ...detail,
      errors: {
        type: 'object',
        description: 'Messages by item, such as `items.3`.',
        additionalProperties: { type: 'array', items: { type: 'string' } }
      },
      codes
    }
  }
}
