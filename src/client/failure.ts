import { isOfProxy, ObraError } from './errors.ts'

/**
 * What an error means for the user:
 * - `offline`: no answer. There is no connection, it is too slow, or the server is down
 * - `session_ended`: the user must log in again
 * - `server_busy`: the server takes the request later
 * - `server_error`: the server has failed
 * - `proxy_error`: a proxy, a firewall or a log-in page of the network has answered, and not the server
 * - `refused`: the server does not take the request, such as without an active company
 * - `failed`: anything else, such as a full disk
 */
export type FailureCode = 'offline' | 'session_ended' | 'server_busy' | 'server_error' | 'proxy_error' | 'refused' | 'failed'

/** Statuses of verdicts after which the same request can succeed later. */
const later = [408, 425, 429, 503]

/** What an error of a request or synchronization means for the user. */
export function failureOf (error: unknown): FailureCode {
  if (isOfProxy(error)) return 'proxy_error'
  if (error instanceof ObraError) {
    if (error.status === 401) return 'session_ended'
    if (later.includes(error.status)) return 'server_busy'
    return error.status >= 500 ? 'server_error' : 'refused'
  }
  const { name, code }: { name?: unknown, code?: unknown } = Object(error)
  return code === 'offline' || name === 'TimeoutError' ? 'offline' : 'failed'
}
