/** @type {typeof import('./index.d.ts').ObraError} */
export class ObraError extends Error {
  constructor (body, response, options) {
    const { detail = `HTTP ${response.status}`, code = response.status === 400 ? 'invalid' : 'error', errors = {} } = typeof body === 'object' && body !== null ? body : {}
    super(detail, options)
    this.name = 'ObraError'
    this.status = response.status
    this.code = code
    this.errors = errors
    this.response = response
  }

  get requestId () {
    return this.response.headers.get('x-request-id')
  }
}

/** @type {typeof import('./index.d.ts').unwrap} */
export async function unwrap (answer) {
  const { data, error, response } = await answer
  if (!response.ok) throw new ObraError(error, response)
  return data
}
