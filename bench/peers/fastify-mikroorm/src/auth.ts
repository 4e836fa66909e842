import jwt from '@fastify/jwt'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { orm } from './database.ts'
import { httpError } from './errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's own identity map. */
    em: EntityManager
    caller: { company: number, level: number }
  }
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: { sid: string, user_id: number, token_type: string }
  }
}

interface Found {
  user: number
  account: number | null
  customer: number | null
  company: number | null
  company_customer: number | null
  membership: number | null
}

const findCaller = `
  select u.id as user, u.nivel_acceso as account, u.customer_id as customer,
    c.id as company, c.customer_id as company_customer, m.nivel_acceso as membership
  from sessions s
  join users u on u.id = s.user_id
  left join companies c on c.id = u.company_id
  left join memberships m on m.user_id = u.id and m.company_id = c.id
  where s.id = ? and s.revoked_at is null and s.expires_at > now() and u.activo`

/** Verifies the token, then reads the current rights of its session. */
export const authentication = fp(async function authentication (app: FastifyInstance) {
  app.register(jwt, { secret: process.env['JWT_SECRET'] as string, verify: { algorithms: ['HS256'] } })
  app.decorateRequest('em')
  app.decorateRequest('caller')

  app.addHook('onRequest', async (request) => {
    const { sid, user_id: user, token_type: type } = await request.jwtVerify<FastifyRequest['user']>()
    request.em = orm.em.fork()
    const [found] = type === 'access' ? await request.em.execute<Found[]>(findCaller, [sid]) : []
    if (found?.user !== user) throw httpError(401, 'The session has ended.')
    const { company } = found
    const level = levelOf(found)
    if (company === null || level === null) throw httpError(403, 'No active company.')
    request.caller = { company, level }
  })
})

/** Admits the levels that may edit. */
export async function mayEdit ({ caller }: FastifyRequest) {
  if (![2, 3, 4, 6].includes(caller.level)) throw httpError(403, 'You may not do this.')
}

function levelOf ({ account, customer, company_customer: companyCustomer, membership }: Found): number | null {
  if (account === 5 || account === 6) return account
  if (account === 4 && customer === companyCustomer) return account
  return membership
}
