import type { LightMyRequestResponse } from 'fastify'

/** The body of an answer. @throws {Error} if the request failed */
export function succeeded (response: Pick<LightMyRequestResponse, 'statusCode' | 'body' | 'json'>): any {
  if (response.statusCode >= 300) throw new Error(`${response.statusCode}: ${response.body}`)
  return response.json()
}
