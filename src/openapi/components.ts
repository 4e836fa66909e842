import { failures, headers } from './answers.ts'
import { headerParameters } from './parameters.ts'
import type { Schema, Standard } from './standard.ts'

/** How callers show who they are. */
export const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token that `POST /api/v1/api-token-auth/` gives.' }
} as const

/** Everything that operations refer to. */
export function sharedComponents (standard: Standard): any {
  return {
    securitySchemes,
    schemas: { ...standard.components, ValidationError, Problem },
    parameters: headerParameters,
    headers,
    responses: failures
  }
}

const ValidationError: Schema = {
  type: 'object',
  required: ['detail', 'errors'],
  properties: {
    detail: { type: 'string' },
    errors: { type: 'object', description: 'messages by field; `non_field_errors` are those of no one field', additionalProperties: { type: 'array', items: { type: 'string' } } }
  }
}

const Problem: Schema = {
  type: 'object',
  required: ['detail', 'code'],
  properties: {
    detail: { type: 'string', description: "message in the caller's language" },
    code: { type: 'string', description: 'never changes with language' }
  }
}
