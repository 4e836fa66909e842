import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { Access } from '../src/auth/access.ts'
import { isAccountOperation, mayManage, requireLevel } from '../src/auth/authority.ts'
import { Accounts } from '../src/resources/accounts.ts'
import type { SigningConfig } from '../src/auth/signing-key.ts'
import { keyNumbers } from '../src/database/connection/advisory-locks.ts'
import { readTurn } from '../src/database/turns/read-turn.ts'
import { writeTurn } from '../src/database/turns/write-turn.ts'
import { httpError } from '../src/http/errors.ts'
import type { Records } from '../src/resources/records.ts'
import { Tenant } from '../src/resources/tenant.ts'

/** A caller with a live session. */
interface Caller {
  user: number
  sid: string
  /** The account's own level (4–6) or null. */
  level: number | null
  /** The customer that the account belongs to, or null. */
  customer: number | null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    /** The caller. Not set on `public` routes. */
    caller: Caller
    /** The caller's active company. Set only on routes that declare an operation on its data. */
    tenant: Tenant
    /** Records that the caller may read and write: those of the active company or, on account routes, accounts. */
    records: Records
  }
  interface FastifyInstance {
    /** Number of the lock of an Idempotency-Key, which callers cannot predict. */
    keyNumber: (name: string) => number
    /**
     * Authenticates the caller and checks the route's access against the current state in the database.
     * @param counts whether the request counts against rate limits. Default: yes
     * @throws {HttpError} 401, 403, 429
     */
    authorize: (request: FastifyRequest, reply: FastifyReply, access: Access, counts?: boolean) => Promise<void>
    /** The hook that calls {@link FastifyInstance.authorize} with the access that the route declares. */
    authorizeRoute: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  }
}

/** Provides `app.authorize`, which limits a request to its active company. */
export default fp(async function authorization (app: FastifyInstance, { config }: { config: SigningConfig }) {
  const { database } = app
  const turns = {
    database,
    read: database.replicas.withReplicas(readTurn(database.sql, database.shares)),
    write: writeTurn(database.sql, database.shares)
  }
  const origin = config.CORS_ORIGINS === undefined ? '' : ',Origin'
  // As in Django REST Framework, `Accept` counts where an answer has more than one format. Spaces would lengthen each answer.
  const vary = `Authorization,Accept-Encoding,Accept-Language${origin}`
  const varyOfFormats = `Authorization,Accept,Accept-Encoding,Accept-Language${origin}`

  app.decorate('keyNumber', keyNumbers(config.JWT_SECRET))
  app.decorateRequest('caller')
  app.decorateRequest('tenant')
  app.decorateRequest('records')
  app.decorate('authorizeRoute', async function authorizeRoute (request, reply) {
    const { access } = request.routeOptions.config
    if (access === undefined) throw new Error('the route declares no access')
    await app.authorize(request, reply, access)
  })
  app.decorate('authorize', async function authorize (request, reply, access, counts) {
    reply.header('cache-control', 'private, no-cache')
    const { csv, media } = request.routeOptions.config ?? {}
    reply.header('vary', csv === true || media !== undefined ? varyOfFormats : vary)
    if (access === 'public') {
      app.throttleAddress(request)
      return
    }
    const { sid, state } = await app.authenticate(request, reply, access === 'refresh', counts)
    request.caller = { user: state.user, sid, level: state.account, customer: state.customer }
    app.countRequest(request, reply)
    if (access === 'account' || access === 'refresh') return
    if (isAccountOperation(access)) {
      if (!mayManage(state.account, access)) throw httpError(403)
      request.records = new Accounts(database, { ...request.caller, level: state.account })
      return
    }

    request.records = request.tenant = new Tenant(turns, { ...request.caller, access, authority: state, ...requireLevel(state, access) })
  })
}, { name: 'authorization', dependencies: ['auth', 'connection-shares', 'database', 'rate-limit'] })
