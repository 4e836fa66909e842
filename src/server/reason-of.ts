/** The message of a driver's or socket's error. A refused connection contains one error per address. */
export function reasonOf (error: unknown): string {
  const { message, cause, errors }: { message?: string, cause?: unknown, errors?: unknown[] } = Object(error)
  return message || errors?.map(reasonOf).join(', ') || (cause === undefined ? 'unknown' : reasonOf(cause))
}
