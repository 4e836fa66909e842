import { eq, and, gt, isNull, sql } from 'drizzle-orm'
import type { MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { jwt, type JwtVariables } from 'hono/jwt'
import { db } from './database.ts'
import { companies, memberships, sessions, users } from './schema.ts'

interface Caller {
  company: number
  level: number
}

/** Variables that the middleware sets for the handlers. */
export interface Signed {
  Variables: JwtVariables<{ sid: string, user_id: number, token_type: string }> & { caller: Caller }
}

const findCaller = db
  .select({
    user: users.id,
    account: users.nivel_acceso,
    customer: users.customer_id,
    company: companies.id,
    companyCustomer: companies.customer_id,
    membership: memberships.nivel_acceso
  })
  .from(sessions)
  .innerJoin(users, eq(users.id, sessions.user_id))
  .leftJoin(companies, eq(companies.id, users.company_id))
  .leftJoin(memberships, and(eq(memberships.user_id, users.id), eq(memberships.company_id, companies.id)))
  .where(and(eq(sessions.id, sql.placeholder('sid')), isNull(sessions.revoked_at), gt(sessions.expires_at, sql`now()`), users.activo))
  .prepare('find_caller')

/** Verifies the token, then reads the current rights of its session. */
export const authenticated: MiddlewareHandler<Signed>[] = [
  jwt({ secret: process.env['JWT_SECRET'] as string, alg: 'HS256' }),
  async (c, next) => {
    const { sid, user_id: user, token_type: type } = c.get('jwtPayload')
    const [found] = type === 'access' ? await findCaller.execute({ sid }) : []
    if (found?.user !== user) throw new HTTPException(401, { message: 'The session has ended.' })
    const { company } = found
    const level = levelOf(found)
    if (company === null || level === null) throw new HTTPException(403, { message: 'No active company.' })
    c.set('caller', { company, level })
    await next()
  }
]

/** Admits the levels that may edit. */
export const mayEdit: MiddlewareHandler<Signed> = async (c, next) => {
  if (![2, 3, 4, 6].includes(c.get('caller').level)) throw new HTTPException(403, { message: 'You may not do this.' })
  await next()
}

interface Access {
  account: number | null
  customer: number | null
  companyCustomer: number | null
  membership: number | null
}

function levelOf ({ account, customer, companyCustomer, membership }: Access): number | null {
  if (account === 5 || account === 6) return account
  if (account === 4 && customer === companyCustomer) return account
  return membership
}
