import { isOfProxy, ObraError } from './errors.js'

/** @import { FailureCode } from './index.d.ts' */

/** Statuses of verdicts after which the same request can succeed later. */
const later = [408, 425, 429, 503]

/**
 * What an error of a request means for the user, in one of few codes.
 * @param {unknown} error
 * @returns {FailureCode}
 */
export function failureOf (error) {
  if (isOfProxy(error)) return 'proxy_error'
  if (error instanceof ObraError) {
    if (error.status === 401) return 'session_ended'
    if (later.includes(error.status)) return 'server_busy'
    return error.status >= 500 ? 'server_error' : 'refused'
  }
  const { name, code } = /** @type {{ name?: string, code?: unknown }} */ (Object(error))
  return code === 'offline' || name === 'TimeoutError' ? 'offline' : 'failed'
}
