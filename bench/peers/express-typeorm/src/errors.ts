/** An error with the status of its answer. */
export class HttpError extends Error {
  readonly status: number
  readonly errors: Record<string, string[]> | undefined

  constructor (status: number, message: string, errors?: Record<string, string[]>) {
    super(message)
    this.status = status
    this.errors = errors
  }
}

/** The answer to an invalid body. */
export const invalid = (errors: Record<string, string[]>) => new HttpError(400, 'Invalid input.', errors)
