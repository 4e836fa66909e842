import { failures, failureSchemas } from './failures.ts'
import { headers } from './headers.ts'
import { headerParameters } from './parameters.ts'
import type { Schema, Standard } from './standard.ts'

/** How callers show who they are. */
export const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token that `POST /api/v1/api-token-auth/` gives, valid for an hour.' }
} as const

/** Everything that operations refer to. */
export function sharedComponents ({ components }: Standard, examples: Schema): any {
  return { securitySchemes, schemas: { ...components, ...failureSchemas }, parameters: headerParameters, headers, responses: failures, examples }
}
