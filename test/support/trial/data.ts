import { createHmac } from 'node:crypto'
import { claimsOf, newTokenId, type Claims } from '../../../src/auth/claims.ts'
import { signingKey } from './database.ts'
import { each, get, jsonOf } from './http.ts'

/** A seeded user with a live session. */
export interface User {
  email: string
  company: number
  headers: { authorization: string }
}

/** What workloads request. It is read from the server, so that it is the same on every database. */
export interface Data {
  users: User[]
  /** Ids of contracts and of their counterparties, by company. */
  companies: Map<number, { contracts: number[], parties: number[] }>
}

const pageSize = 200
/** Bound for a running server. Seeded companies are smaller. */
const mostContracts = 100_000

/** Reads the emails and companies of users with these access tokens, and the companies' records. */
export async function readData (server: string, tokens: string[]): Promise<Data> {
  const users = await each(tokens, async (token): Promise<User> => {
    const headers = { authorization: `Bearer ${token}` }
    const { email, company } = jsonOf(await get(server, { path: '/api/v1/me/', headers }))
    return { email, company, headers }
  })
  const oneEach = [...new Map(users.map(user => [user.company, user])).values()]
  const companies = new Map(await each(oneEach, async user => [user.company, await readCompany(server, user)] as const))
  return { users, companies }
}

async function readCompany (server: string, { headers }: User): Promise<{ contracts: number[], parties: number[] }> {
  const contracts: number[] = []
  const parties = new Set<number>()
  for (let page = 1, last = 1; page <= last; page++) {
    const path = `/api/v1/contracts/?fields=id,contraparte_id&page_size=${pageSize}&page=${page}`
    const { count, results } = jsonOf(await get(server, { path, headers }))
    for (const { id, contraparte_id: party } of results) {
      contracts.push(id)
      parties.add(party)
    }
    last = Math.ceil(Math.min(count, mostContracts) / pageSize)
  }
  return { contracts, parties: [...parties] }
}

/** A new access token for the session of a token. In a kept database the seeded tokens have expired. */
export function renewed (token: string, at = new Date()): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const { user_id: user, sid } = readClaims(token)
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claimsOf('access', user, sid, newTokenId(), at))}`
  return `${signed}.${createHmac('sha256', signingKey).update(signed).digest('base64url')}`
}

/** The claims of a token, without verification. */
export function readClaims (token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
}
