import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { httpError, type HttpError } from '../src/http/errors.ts'
import { checkSession, sessionEnded, tokenRefused, type End } from '../src/auth/admission.ts'
import { readStates, type State } from '../src/auth/state.ts'

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
     * @throws {HttpError} 401, 429
     */
    authenticate: (request: FastifyRequest, reply: FastifyReply, expired: boolean) => Promise<Authenticated>
  }
}

/**
 * Limit of ended sessions in memory. An ended session stays ended (trigger `end_sessions`). An inactive user's session is queried again,
 * because the answer becomes `token_not_valid` when the user is activated.
 */
const mostEnded = 10_000

/** Authentication by bearer token. */
export default fp(async function authentication (app: FastifyInstance) {
  const readState = readStates(app.database.sql)
  // Many requests with the token of an ended session query the database once.
  const ended = new LRUCache<string, End>({ max: mostEnded })

  app.decorate('authenticate', async (request, reply, admitsExpired) => {
    const token = bearer(request.headers.authorization)
    if (typeof token === 'object') throw countUnauthenticated(request, token)
    const claims = app.tokens.verify(token, { type: 'access', expired: admitsExpired })
    if (typeof claims === 'string') throw countUnauthenticated(request, tokenRefused(claims))
    const { sid } = claims
    const known = ended.get(sid)
    if (known === 'revoked') throw countUnauthenticated(request, sessionEnded(known))

    // An expired token, or the token of an inactive user, must not use up the user's rate limit. It counts by address, before the query.
    const unproven = known === 'inactive' || claims.exp <= Date.now() / 1000
    if (unproven) app.throttleAddress(request)
    else app.refuseThrottledUser(claims.user_id, reply)

    const state = await readState(sid)
    const session = checkSession(state, claims.user_id)
    if ('end' in session) {
      const error = sessionEnded(session.end)
      if (state?.live !== true) ended.set(sid, session.end)
      throw unproven ? error : countUnauthenticated(request, error)
    }
    if (!unproven) app.throttleUser(session.state.user, reply)
    return { sid, state: session.state }
  })

  /** Counts a request without a live session. @returns the error @throws {HttpError} 429 */
  function countUnauthenticated (request: FastifyRequest, error: HttpError): HttpError {
    app.throttleAddress(request)
    return error
  }
}, { name: 'authentication', dependencies: ['database', 'throttle', 'tokens'] })

function bearer (header: string | undefined): string | HttpError {
  const parts = header?.trim().split(/\s+/) ?? []
  if (parts[0]?.toLowerCase() !== 'bearer') return httpError(401)
  if (parts.length !== 2) return httpError(401, { code: 'bad_authorization_header', key: 'badAuthorizationHeader' })
  return parts[1] as string
}
