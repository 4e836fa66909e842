/** An error that is answered with its status. */
export class HttpError extends Error {
  readonly status: number
  readonly errors: Record<string, string[]> | undefined

  constructor (status: number, message: string, errors?: Record<string, string[]>) {
    super(message)
    this.status = status
    this.errors = errors
  }
}

/** The answer to a body that will not do. */
export const invalid = (errors: Record<string, string[]>) => new HttpError(400, 'Invalid input.', errors)
