import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { ApiError, unauthorized } from '../src/errors.ts'
import { endOf, sessionEnded, tokenRefused, type End } from '../src/tenancy/admission.ts'
import { readStates, type State } from '../src/tenancy/state.ts'

/** A caller with a live session. */
export interface Authenticated {
  sid: string
  state: State
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Identifies the caller by the access token and the session in the database. A request with a live session counts against its user,
     * any other against its address.
     * @param expired whether an expired token is accepted
     * @throws {ApiError} 401, 429
     */
    authenticate: (request: FastifyRequest, reply: FastifyReply, expired: boolean) => Promise<Authenticated>
  }
}

/**
 * Ended sessions in memory. An ended session stays ended (trigger `end_sessions`). The session of an inactive user is read again,
 * because it is revoked once the user is active.
 */
const mostEnded = 10_000

/** Authentication by bearer token. */
export default fp(async function authentication (app: FastifyInstance) {
  const readState = readStates(app.database.sql)
  // Many requests with the token of an ended session query the database once.
  const ended = new LRUCache<string, End>({ max: mostEnded })

  app.decorate('authenticate', async (request, reply, admitsExpired) => {
    const token = bearer(request.headers.authorization)
    if (token instanceof ApiError) throw unknown(request, token)
    const claims = app.tokens.verify(token, { type: 'access', expired: admitsExpired })
    if (typeof claims === 'string') throw unknown(request, tokenRefused(claims))
    const { sid } = claims
    const known = ended.get(sid)
    if (known === 'revoked') throw unknown(request, sessionEnded(known))

    // An expired token, or the token of an inactive user, must not use up the user's rate limit. It counts by address, before the query.
    const unproven = known === 'inactive' || claims.exp <= Date.now() / 1000
    if (unproven) app.throttleAddress(request)
    else app.refuseThrottledUser(claims.user_id, reply)

    const state = await readState(sid)
    const end = endOf(state, claims.user_id)
    if (state === undefined || end !== undefined) {
      const error = sessionEnded(end ?? 'revoked')
      if (state?.live !== true) ended.set(sid, end ?? 'revoked')
      throw unproven ? error : unknown(request, error)
    }
    if (!unproven) app.throttleUser(state.user, reply)
    return { sid, state }
  })

  /** Counts a request of an unknown caller. @returns the error @throws {ApiError} 429 */
  function unknown (request: FastifyRequest, error: ApiError): ApiError {
    app.throttleAddress(request)
    return error
  }
}, { name: 'authentication', dependencies: ['database', 'throttle', 'tokens'] })

function bearer (header: string | undefined): string | ApiError {
  const parts = header?.trim().split(/\s+/) ?? []
  if (parts[0]?.toLowerCase() !== 'bearer') return unauthorized('not_authenticated', 'notAuthenticated')
  if (parts.length !== 2) return unauthorized('bad_authorization_header', 'badAuthorizationHeader')
  return parts[1] as string
}
