/** An error in the log. */
type LoggedError = {
  type: string
  message: string
  stack: string
  code?: unknown
  cause?: LoggedError
}

/**
 * Formats an error for the log. Omits the statement and row of database errors, which can contain personal data and password hashes.
 */
export function loggedError (error: Error & { code?: unknown, cause?: unknown }): LoggedError {
  const { name, message, stack = '', code, cause } = error
  return {
    type: name,
    message: withoutDetail(message),
    stack: withoutDetail(stack),
    code,
    cause: cause instanceof Error ? loggedError(cause) : undefined
  }
}

/** MikroORM appends PostgreSQL's detail to the message. It contains values, which can have line breaks. */
function withoutDetail (text: string): string {
  return text.replace(/\n - detail: .*?(?=\n {4}at |$)/s, '')
}
