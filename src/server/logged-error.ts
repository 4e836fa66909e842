/** What the log says of an error. */
export type LoggedError = {
  type: string
  message: string
  stack: string
  code?: unknown
  cause?: LoggedError
}

/**
 * An error as the log has it: what went wrong and where. The drivers' errors also carry the statement and the row, in which there
 * may be personal data and hashes of passwords; those stay out.
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

/** MikroORM puts PostgreSQL's detail into the message: values, up to the end of the line and further where they have line ends. */
function withoutDetail (text: string): string {
  return text.replace(/\n - detail: .*?(?=\n {4}at |$)/s, '')
}
