import { StoreError } from './file-store.ts'

/** @returns undefined if the service answers 404 */
export async function unless404<T> (answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof StoreError && error.status === 404) return undefined
    throw error
  }
}

/** Network errors. @param code of the system or of the SDK */
const isNetwork = (code: string) => /^E(?!RR_)[A-Z_]+$/.test(code) || ['TimeoutError', 'AbortError'].includes(code)

/** Network errors before a request is sent. */
const unsent = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']

/** The error of the store for one of the SDK. @param text what failed */
export function asStoreError (error: unknown, text: string): StoreError {
  const { name, message, code = name, $metadata }: Error & { code?: string, $metadata?: { httpStatusCode?: number } } = Object(error)
  const status = $metadata?.httpStatusCode
  if (status !== undefined) {
    return new StoreError(`${text}: the service answers ${status} ${name}`, { status, isOutage: status >= 500, canBeDone: status >= 500 })
  }
  const isOutage = isNetwork(code)
  const reason = [code, message].filter(part => part !== '').join(': ')
  const canBeDone = isOutage && !unsent.includes(code)
  return new StoreError(`${text}: ${isOutage ? 'no answer, ' : ''}${reason}`, { status, isOutage, canBeDone })
}
