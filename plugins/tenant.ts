import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { isAccountOperation, levelIn, may, mayManage, type Access } from '../src/access.ts'
import { Accounts } from '../src/accounts/accounts.ts'
import type { Config } from '../src/config.ts'
import { turn } from '../src/database/turns.ts'
import { ApiError, permissionDenied, unauthorized } from '../src/errors.ts'
import { isBusy } from '../src/resources/transaction.ts'
import { readStates } from '../src/tenancy/state.ts'
import { Tenant } from '../src/tenancy/tenant.ts'
import type { Claims } from '../src/tokens/claims.ts'
import type { TokenFault } from './tokens.ts'

/** The caller's session, which is alive, and account. */
export interface Caller {
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
    /** Who calls; on `public` routes nobody. */
    caller: Caller
    /** The caller's active company; on routes that declare an operation on its data, nothing else. */
    tenant: Tenant
    /** The accounts that the caller reaches; on routes that declare an operation on accounts, nothing else. */
    accounts: Accounts
  }
  interface FastifyInstance {
    /** The one door: finds out who calls and what they may do, by the database's present state. */
    enter: (request: FastifyRequest, reply: FastifyReply, access: Access) => Promise<void>
  }
}

/** The tenant context: from a bearer token to a context narrowed to the active company. */
export default fp(async function tenant (app: FastifyInstance, { config }: { config: Config }) {
  const { database, tokens } = app
  const turns = { database, read: turn(database.sql, 'read only'), write: turn(database.sql, 'read write', company => isBusy(database, company)) }
  const readState = readStates(database.sql)
  const vary = `Authorization, Accept, Accept-Language${config.CORS_ORIGINS === undefined ? '' : ', Origin'}`

  app.decorateRequest('caller')
  app.decorateRequest('tenant')
  app.decorateRequest('accounts')
  app.decorate('enter', async function enter (request, reply, access) {
    reply.header('cache-control', 'private, no-cache')
    reply.header('vary', vary)
    if (access === 'public') return
    const claims = tokens.verify(bearer(request.headers.authorization), { type: 'access', expired: access === 'refresh' })
    if (typeof claims === 'string') throw refused(claims)
    app.throttleUser(claims.user_id, reply)

    const state = await readState(claims.sid)
    if (state?.active === false) throw unauthorized('user_inactive', 'userInactive')
    if (state?.live !== true || state.user !== claims.user_id) throw refused('tokenRevoked')
    request.caller = { user: state.user, sid: claims.sid, level: state.account, customer: state.customer }
    if (access === 'account' || access === 'refresh') return
    if (isAccountOperation(access)) {
      if (!mayManage(state.account, access)) throw permissionDenied()
      request.accounts = new Accounts(database, request.caller)
      return
    }

    const level = state.company === null ? null : levelIn(state.company)
    if (state.company === null || level === null) throw new ApiError(403, 'no_active_company', 'noActiveCompany')
    if (!may(level, access)) throw permissionDenied()
    request.tenant = new Tenant(turns, state.company.id, state.company.revision, level)
  })
}, { name: 'tenant', dependencies: ['database', 'throttle', 'tokens'] })

function bearer (header: string | undefined): string {
  const parts = header?.trim().split(/\s+/) ?? []
  if (parts[0]?.toLowerCase() !== 'bearer') throw unauthorized('not_authenticated', 'notAuthenticated')
  if (parts.length !== 2) throw unauthorized('bad_authorization_header', 'badAuthorizationHeader')
  return parts[1] as string
}

function refused (key: TokenFault | 'tokenRevoked') {
  return unauthorized('token_not_valid', 'tokenNotValid', say => ({
    messages: [{ token_class: 'AccessToken', token_type: 'access' satisfies Claims['token_type'], message: say(key) }]
  }))
}
