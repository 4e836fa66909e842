import type { RequestHandler } from 'express'
import { expressjwt, type Request } from 'express-jwt'
import { database } from './database.ts'
import { HttpError } from './errors.ts'

declare global {
  namespace Express {
    interface Locals {
      company: number
      level: number
    }
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
  where s.id = $1 and s.revoked_at is null and s.expires_at > now() and u.activo`

/** Verifies the token, then reads the current rights of its session. */
export const authenticated: RequestHandler[] = [
  expressjwt({ secret: process.env['JWT_SECRET'] as string, algorithms: ['HS256'] }) as RequestHandler,
  async (request, response, next) => {
    const { sid, user_id: user, token_type: type } = (request as Request).auth ?? {}
    const [found]: Found[] = type === 'access' ? await database.query(findCaller, [sid]) : []
    if (found?.user !== user) throw new HttpError(401, 'The session has ended.')
    const { company } = found as Found
    const level = levelOf(found as Found)
    if (company === null || level === null) throw new HttpError(403, 'No active company.')
    Object.assign(response.locals, { company, level })
    next()
  }
]

/** Admits the levels that may edit. */
export const mayEdit: RequestHandler = (_request, { locals }, next) => {
  if (![2, 3, 4, 6].includes(locals.level)) throw new HttpError(403, 'You may not do this.')
  next()
}

function levelOf ({ account, customer, company_customer: companyCustomer, membership }: Found): number | null {
  if (account === 5 || account === 6) return account
  if (account === 4 && customer === companyCustomer) return account
  return membership
}
