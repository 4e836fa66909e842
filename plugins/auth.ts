import { randomUUID } from 'node:crypto'
import jwt from '@fastify/jwt'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { checkSession, readStates, type State } from '../src/auth/authority.ts'
import { areClaims, claimsOf, newTokenId, successorId, tokenHash, type Claims, type TokenType } from '../src/auth/claims.ts'
import type { Proven } from '../src/auth/log-in.ts'
import { type End, sessionEnded, tokenRefused } from '../src/auth/refusals.ts'
import { openSession, rotate } from '../src/auth/sessions.ts'
import { recordUses } from '../src/auth/uses.ts'
import type { SigningConfig } from '../src/auth/signing-key.ts'
import { httpError, type HttpError } from '../src/http/errors.ts'
import type { MessageKey } from '../src/http/messages.ts'
import { codeOf } from '../src/files/errors.ts'

/** A pair of tokens of one session. */
export interface TokenPair {
  access: string
  refresh: string
}

/** Why a token is refused. */
type TokenFault = Extract<MessageKey, 'tokenInvalid' | 'tokenExpired' | 'tokenWrongType'>

/** Signs, verifies and rotates tokens. */
interface Tokens {
  /** Opens a session after a log-in. @returns its tokens, or undefined if the log-in is no longer valid */
  open: (proven: Proven) => Promise<TokenPair | undefined>
  /** Checks signature, lifetime and form of a token, but not its session. @returns its claims, or why it is refused */
  verify: (token: string, options?: { type?: TokenType, expired?: boolean }) => Claims | TokenFault
  /** Spends a refresh token. @returns the next tokens of its session @throws {HttpError} 401 */
  rotate: (token: string, claims: Claims) => Promise<TokenPair>
}

/** A caller with a live session. */
interface Authenticated {
  sid: string
  state: State
}

declare module 'fastify' {
  interface FastifyInstance {
    tokens: Tokens
    /**
     * Identifies the caller by the access token and the session in the database. A request with a live session and an unexpired
     * token counts against its user, any other against its address.
     * @param expired whether an expired token is accepted
     * @param counts whether the request counts against rate limits. Default: yes
     * @throws {HttpError} 401, 429
     */
    authenticate: (request: FastifyRequest, reply: FastifyReply, expired: boolean, counts?: boolean) => Promise<Authenticated>
  }
}

/**
 * Limit of ended sessions in memory. An ended session stays ended (trigger `end_sessions`). An inactive user's session is queried again,
 * because the answer becomes `token_not_valid` when the user is activated.
 */
const maxEnded = 10_000

/** Limit of verified tokens in memory. */
const maxVerified = 10_000

/** Tokens (HS256, verified with the current or the previous key) and bearer authentication. */
export default fp(async function auth (app: FastifyInstance, { config }: { config: SigningConfig }) {
  const secrets = [config.JWT_SECRET, config.JWT_SECRET_PREVIOUS].filter(secret => secret !== undefined)
  for (const [index, secret] of secrets.entries()) {
    await app.register(jwt, {
      secret,
      namespace: `key${index}`,
      // Only for routing: verification ignores it.
      sign: { algorithm: 'HS256', kid: config.CELL },
      verify: { algorithms: ['HS256'], requiredClaims: ['exp'] }
    })
  }
  const signers = app.jwt as typeof app.jwt & Record<string, typeof app.jwt> // its type has no namespaces
  const keys = secrets.map((secret, index) => ({ secret, jwt: signers[`key${index}`] }))

  // Verified tokens by their text. A valid signature stays valid, so a hit checks only the expiry.
  const verified = new LRUCache<string, Claims>({ max: maxVerified })
  // The verified tokens whose use needs no record.
  const used = new WeakSet<Claims>()

  function verifyWith (key: typeof keys[number], token: string, expired: boolean): Claims | TokenFault | 'other key' {
    try {
      const payload = expired
        ? key.jwt.verify<Claims>(token, { ignoreExpiration: true, algorithms: ['HS256'] })
        : key.jwt.verify<Claims>(token)
      return areClaims(payload, Date.now() / 1000) ? payload : 'tokenInvalid'
    } catch (error) {
      const code = codeOf(error)
      return code === 'FAST_JWT_INVALID_SIGNATURE' ? 'other key' : code === 'FAST_JWT_EXPIRED' ? 'tokenExpired' : 'tokenInvalid'
    }
  }

  function verifyAny (token: string, expired: boolean): { key: typeof keys[number], claims: Claims | TokenFault } {
    for (const key of keys) {
      const claims = verifyWith(key, token, expired)
      if (claims !== 'other key') return { key, claims }
    }
    return { key: keys[0], claims: 'tokenInvalid' }
  }

  function pair (user: number, sid: string, ids: Record<TokenType, string>, at: Date): TokenPair {
    const sign = (type: TokenType) => keys[0].jwt.sign(claimsOf(type, user, sid, ids[type], at))
    return { access: sign('access'), refresh: sign('refresh') }
  }

  const recordUse = recordUses(app.database.sql)
  app.decorate('tokens', {
    async open (proven) {
      const sid = randomUUID()
      const ids = { access: newTokenId(), refresh: newTokenId() }
      const opened = await openSession(app.database.lone, sid, proven, tokenHash(ids.refresh))
      if (!opened) return undefined
      const tokens = pair(proven.user, sid, ids, new Date())
      // The access token of a log-in replaces no other.
      const claims = app.tokens.verify(tokens.access)
      if (typeof claims === 'object') used.add(claims)
      return tokens
    },

    verify (token, { type, expired = false } = {}) {
      let claims: Claims | TokenFault | undefined = verified.get(token)
      if (claims === undefined || claims.exp <= Date.now() / 1000) {
        claims = verifyAny(token, expired).claims
        if (typeof claims === 'object' && !expired) verified.set(token, claims)
      }
      return typeof claims === 'object' && type !== undefined && claims.token_type !== type ? 'tokenWrongType' : claims
    },

    async rotate (token, claims) {
      const { secret } = verifyAny(token, false).key
      const ids = { access: successorId(secret, claims.jti, 'access'), refresh: successorId(secret, claims.jti, 'refresh') }
      const hashes = { access: tokenHash(ids.access), refresh: tokenHash(ids.refresh) }
      const rotation = await rotate(app.database.lone, claims.sid, tokenHash(claims.jti), hashes, new Date())
      if (rotation.outcome === 'stolen') {
        app.log.warn({ sid: claims.sid, user: claims.user_id }, 'a spent refresh token was presented: session revoked')
      }
      if (rotation.outcome === 'stolen' || rotation.outcome === 'ended') {
        throw httpError(401, { code: 'token_not_valid', key: 'tokenRevoked' })
      }
      return pair(claims.user_id, claims.sid, ids, rotation.at)
    }
  } satisfies Tokens)

  const readState = readStates(app.database.sql)
  // Caches ended sessions, so that further requests of a revoked session need no query.
  const ended = new LRUCache<string, End>({ max: maxEnded })

  app.decorate('authenticate', async function authenticate (request, reply, admitsExpired, counts = true) {
    const token = bearer(request.headers.authorization, admitsExpired ? 'refreshWithoutAccess' : 'notAuthenticated')
    if (typeof token === 'object') throw countUnauthenticated(request, token)
    const claims = app.tokens.verify(token, { type: 'access', expired: admitsExpired })
    if (typeof claims === 'string') throw countUnauthenticated(request, tokenRefused(claims))
    const { sid } = claims
    const known = ended.get(sid)
    if (known === 'revoked') throw countUnauthenticated(request, sessionEnded(known))

    // An expired token, or the token of an inactive user, must not use up the user's rate limit. It counts by address, before the query.
    const unproven = known === 'inactive' || claims.exp <= Date.now() / 1000
    if (unproven) app.throttleAddress(request)
    else if (counts) app.refuseThrottledUser(claims.user_id, reply)

    const state = await readState(sid)
    const session = checkSession(state, claims.user_id)
    if ('end' in session) {
      const error = sessionEnded(session.end)
      if (state?.live !== true) ended.set(sid, session.end)
      throw unproven ? error : countUnauthenticated(request, error)
    }
    if (!unproven && counts) app.throttleUser(session.state.user, reply)
    if (!used.has(claims)) {
      await recordUse({ sid, jti: claims.jti })
      used.add(claims)
    }
    return { sid, state: session.state }
  })

  /** Counts a request without a live session. @returns the error @throws {HttpError} 429 */
  function countUnauthenticated (request: FastifyRequest, error: HttpError): HttpError {
    app.throttleAddress(request)
    return error
  }
}, { name: 'auth', dependencies: ['database', 'rate-limit'] })

/** The token of the header, or the 401. @param missing message if there is no such header */
function bearer (header: string | undefined, missing: MessageKey): string | HttpError {
  const parts = header?.trim().split(/\s+/) ?? []
  if (parts[0]?.toLowerCase() !== 'bearer') return httpError(401, { key: missing })
  if (parts.length !== 2) return httpError(401, { code: 'bad_authorization_header', key: 'badAuthorizationHeader' })
  return parts[1]
}
