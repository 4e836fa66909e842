/** The text code of an error of Node.js, of the database or of a library. @returns undefined for any other value that was thrown */
export function codeOf (error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** The message of an error. */
export function messageOf (error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
