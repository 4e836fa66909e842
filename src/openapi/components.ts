import { messages } from '../http/messages.ts'
import { failureSchemas } from './failure-schemas.ts'
import { sharedFailures } from './failures.ts'
import { headers, headersOfDeprecated } from './headers.ts'
import { headerParameters } from './parameters.ts'
import type { Schema, Standard } from './standard.ts'
import { webhookParameters } from './webhooks.ts'

/** Authentication by access token. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token from `POST /api/v1/api-token-auth/`, valid for one hour.'
  }
} as const

/** Enumerations of parameters and headers. */
const words: Record<string, Schema> = {
  Language: { type: 'string', enum: Object.keys(messages) },
  EmptyCells: { type: 'string', enum: ['keep', 'clear'] }
}

/** The components that operations refer to. @param withDeprecated whether an operation has a deprecated part */
export function sharedComponents ({ components }: Standard, examples: Schema, withDeprecated: boolean): Schema {
  return {
    securitySchemes,
    schemas: { ...components, ...failureSchemas, ...words },
    parameters: { ...headerParameters, ...webhookParameters },
    headers: withDeprecated ? { ...headers, ...headersOfDeprecated } : headers,
    responses: sharedFailures,
    examples
  }
}
