/** @import { ProblemCode } from './index.d.ts' */

/** An answer that is not a success. */
export class ObraError extends Error {
  /**
   * @param {unknown} body of the answer
   * @param {Response} response
   */
  constructor (body, response) {
    /** @type {{ detail?: string, code?: string, errors?: Record<string, string[]>, codes?: Record<string, ProblemCode[]> }} */
    const content = typeof body === 'object' && body !== null ? body : {}
    super(content.detail ?? `HTTP ${response.status}`)
    this.name = /** @type {const} */ ('ObraError')
    this.status = response.status
    this.code = content.code ?? (response.status === 400 ? 'invalid' : 'error')
    this.errors = content.errors ?? {}
    this.codes = content.codes ?? {}
    this.response = response
  }

  get requestId () {
    return this.response.headers.get('x-request-id')
  }
}

/**
 * An error of the client itself, in the form of the service's errors.
 * @param {number} status
 * @param {string} code
 * @param {string} detail
 */
export function clientError (status, code, detail) {
  return new ObraError({ detail, code }, new Response(null, { status }))
}

/**
 * Returns the data of an answer, or throws an {@link ObraError}.
 * @template Data
 * @param {Promise<{ data?: Data, error?: unknown, response: Response }>} answer
 */
export async function unwrap (answer) {
  const { data, error, response } = await answer
  if (!response.ok) throw new ObraError(error, response)
  return /** @type {Data} */ (data)
}
