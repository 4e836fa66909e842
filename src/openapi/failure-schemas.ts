import { errorAnswers } from '../http/error-answers.ts'
import type { ErrorAnswer } from '../http/error-answer.ts'
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

/**
 * The codes of error answers that have several, by the name of their schema.
 * @throws {Error} if two answers give a name to different codes
 */
function codesOfAnswers (): Record<string, Schema> {
  const schemas: Record<string, Schema> = {}
  for (const { codes: name, causes } of Object.values<ErrorAnswer>(errorAnswers)) {
    if (name === undefined) continue
    const words = [...new Set(causes.map(([code]) => code))]
    schemas[name] ??= { type: 'string', enum: words }
    if (String(schemas[name]['enum']) !== String(words)) throw new Error(`two lists of codes are named ${name}`)
  }
  return schemas
}

/** Schemas of the bodies of error answers. */
export const failureSchemas: Record<string, Schema> = {
  ...codesOfAnswers(),
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
