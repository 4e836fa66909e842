import type { TokenPair } from '../../../plugins/auth.ts'
import type { Row } from '../../../src/database/connection/sql.ts'
import { Subject, type Rights } from './account.ts'

/** How the changes reach the database. */
export interface Ways {
  psql: (text: string, values: unknown[]) => Promise<Row[]>
  /** Sends a request to one of the servers. @throws unless the answer is a success */
  api: (token: string, method: string, path: string, body?: unknown) => Promise<void>
  /** The access token of a Superusuario. */
  superusuario: string
  /** Opens a session. */
  open: (user: number) => Promise<TokenPair>
}

/** A user whose authority changes. The user is a member of two companies of a customer, and the only user of a third one. */
export interface Account {
  user: number
  customer: number
  otherCustomer: number
  companies: [number, number]
  memberships: [number, number]
  own: number
  subject: Subject
}

/** The initial rights of an account, to which {@link kinds} return. */
export const initial = (account: Pick<Account, 'companies'>): Rights => ({ session: 'live', company: account.companies[0], level: 3 })

/** Ends a session, which cannot come back, and opens another one. */
async function replace (account: Account, { open }: Ways, ended: () => Promise<void>): Promise<void> {
  await ended()
  account.subject = new Subject(await open(account.user), initial(account))
}

/** A change of an account's authority. It calls `seen`, which probes the new rights, and then undoes the change. */
type Change = (account: Account, ways: Ways, seen: () => Promise<void>) => Promise<void>

/** The end of a user's sessions by a statement. */
function endedBy (statement: string): Change {
  return async (account, ways, seen) => {
    const { subject, user } = account
    await replace(account, ways, async () => {
      await subject.change({ session: 'revoked' }, async () => await ways.psql(statement, [user]))
      await seen()
    })
  }
}

export const kinds: Record<string, Change> = {
  async 'level, by psql' ({ subject, memberships: [membership] }, { psql }, seen) {
    for (const level of [1, 2, 3]) {
      await subject.change({ level }, async () => await psql('update memberships set nivel_acceso = $1 where id = $2', [level, membership]))
      await seen()
    }
  },
  async 'level, by the API' ({ subject, memberships: [membership] }, { api, superusuario }, seen) {
    for (const level of [2, 3]) {
      await subject.change({ level }, async () => await api(superusuario, 'PATCH', `memberships/${membership}/`, { nivel_acceso: level }))
      await seen()
    }
  },
  async 'membership removed, by psql' (account, { psql }, seen) {
    const { subject, user, companies: [company], memberships } = account
    await subject.change({ level: null }, async () => await psql('delete from memberships where id = $1', [memberships[0]]))
    await seen()
    await subject.change({ level: 3 }, async () => {
      const [{ id }] = await psql('insert into memberships (user_id, company_id, nivel_acceso) values ($1, $2, 3) returning id', [user, company]) as [Row]
      memberships[0] = id
    })
  },
  async 'active company, by psql' ({ subject, user, companies }, { psql }, seen) {
    for (const [index, company] of [...companies.entries()].reverse()) {
      await subject.change({ company, level: 3 - index }, async () => await psql('update users set company_id = $1 where id = $2', [company, user]))
      await seen()
    }
  },
  async 'active company, by the API' ({ subject, companies }, { api }, seen) {
    for (const [index, company] of [...companies.entries()].reverse()) {
      await subject.change({ company, level: 3 - index }, async () => await api(subject.tokens.access, 'PATCH', 'me/', { company }))
      await seen()
    }
  },
  async 'account level, by psql' ({ subject, user }, { psql }, seen) {
    for (const level of [4, null]) {
      await subject.change({ level: level ?? 3 }, async () => await psql('update users set nivel_acceso = $1 where id = $2', [level, user]))
      await seen()
    }
  },
  async 'customer of the company, by psql' ({ subject, user, customer, otherCustomer, own, companies: [company] }, { psql }, seen) {
    await subject.change({ company: own, level: 4 }, async () => await psql('update users set nivel_acceso = 4, company_id = $1 where id = $2', [own, user]))
    for (const next of [otherCustomer, customer]) {
      await subject.change({ level: next === customer ? 4 : null }, async () => await psql('update companies set customer_id = $1 where id = $2', [next, own]))
      await seen()
    }
    await subject.change({ company, level: 3 }, async () => await psql('update users set nivel_acceso = null, company_id = $1 where id = $2', [company, user]))
  },
  async 'log-out, by the API' (account, ways, seen) {
    const { subject } = account
    await replace(account, ways, async () => {
      await subject.change({ session: 'revoked' }, async () => await ways.api(subject.tokens.access, 'POST', 'api-token-revoke/', { refresh: subject.tokens.refresh }))
      await seen()
    })
  },
  'session revoked, by psql': endedBy('update sessions set revoked_at = clock_timestamp() where user_id = $1 and revoked_at is null'),
  'session expired, by psql': endedBy('update sessions set expires_at = clock_timestamp() where user_id = $1'),
  'session deleted, by psql': endedBy('delete from sessions where user_id = $1'),
  async 'user deactivated, by the API' (account, ways, seen) {
    const { subject, user } = account
    await replace(account, ways, async () => {
      await subject.change({ session: 'inactive' }, async () => await ways.api(ways.superusuario, 'DELETE', `users/${user}/`))
      await seen()
      await subject.change({ session: 'revoked' }, async () => await ways.psql('update users set activo = true where id = $1', [user]))
      await seen()
    })
  }
}
