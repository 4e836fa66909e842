import { createParamDecorator, ForbiddenException, Injectable, SetMetadata, UnauthorizedException } from '@nestjs/common'
import type { CanActivate, ExecutionContext } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { JwtService } from '@nestjs/jwt'
import type { FastifyRequest } from 'fastify'
import { DataSource } from 'typeorm'

interface Claims {
  sid: string
  user_id: number
  token_type: string
}

interface Found {
  user: number
  account: number | null
  customer: number | null
  company: number | null
  company_customer: number | null
  membership: number | null
}

type Signed = FastifyRequest & { company: number }

const findCaller = `
  select u.id as user, u.nivel_acceso as account, u.customer_id as customer,
    c.id as company, c.customer_id as company_customer, m.nivel_acceso as membership
  from sessions s
  join users u on u.id = s.user_id
  left join companies c on c.id = u.company_id
  left join memberships m on m.user_id = u.id and m.company_id = c.id
  where s.id = $1 and s.revoked_at is null and s.expires_at > now() and u.activo`

/** The levels that may call a route; all without it. */
export const Levels = (...levels: number[]) => SetMetadata('levels', levels)

/** The caller's active company. */
export const Company = createParamDecorator((_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Signed>().company)

/** Verifies the token, then reads the current rights of its session. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor (private readonly jwt: JwtService, private readonly database: DataSource, private readonly reflector: Reflector) {}

  async canActivate (context: ExecutionContext) {
    const request = context.switchToHttp().getRequest<Signed>()
    const claims = await this.verify(request.headers.authorization)
    const [found]: Found[] = claims.token_type === 'access' ? await this.database.query(findCaller, [claims.sid]) : []
    if (found?.user !== claims.user_id) throw new UnauthorizedException('The session has ended.')
    const level = levelOf(found)
    if (found.company === null || level === null) throw new ForbiddenException('No active company.')
    const levels = this.reflector.get<number[] | undefined>('levels', context.getHandler())
    if (levels?.includes(level) === false) throw new ForbiddenException('You may not do this.')
    request.company = found.company
    return true
  }

  private async verify (authorization = ''): Promise<Claims> {
    const [type, token] = authorization.split(' ')
    if (type !== 'Bearer' || token === undefined) throw new UnauthorizedException('No token.')
    try {
      return await this.jwt.verifyAsync<Claims>(token)
    } catch {
      throw new UnauthorizedException('The token is not valid.')
    }
  }
}

function levelOf ({ account, customer, company_customer: companyCustomer, membership }: Found): number | null {
  if (account === 5 || account === 6) return account
  if (account === 4 && customer === companyCustomer) return account
  return membership
}
