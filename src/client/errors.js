/** An answer other than success. */
export class ObraError extends Error {
  /**
   * @param {unknown} body what was answered
   * @param {Response} response
   */
  constructor (body, response) {
    /** @type {{ detail?: string, code?: string, errors?: Record<string, string[]> }} */
    const told = typeof body === 'object' && body !== null ? body : {}
    super(told.detail ?? `HTTP ${response.status}`)
    this.name = /** @type {const} */ ('ObraError')
    this.status = response.status
    this.code = told.code ?? (response.status === 400 ? 'invalid' : 'error')
    this.errors = told.errors ?? {}
    this.response = response
  }

  get requestId () {
    return this.response.headers.get('x-request-id')
  }
}

/**
 * The data of an answer.
 * @template Data
 * @param {Promise<{ data?: Data, error?: unknown, response: Response }>} answer
 */
export async function unwrap (answer) {
  const { data, error, response } = await answer
  if (!response.ok) throw new ObraError(error, response)
  return /** @type {Data} */ (data)
}
