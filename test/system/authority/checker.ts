import { randomUUID } from 'node:crypto'
import type { TokenPair } from '../../../plugins/auth.ts'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import type { TestServer } from '../../support/helper.ts'
import type { Row } from '../../../src/database/connection/sql.ts'
import { tokensOf } from '../../support/over-http.ts'
import { pick, randomFrom } from '../../support/trial/random.ts'
import { exchangeOver } from '../kernel/client.ts'
import { count } from '../kernel/report.ts'
import { expected, probes, Subject, type Probe } from './account.ts'
import { initial, kinds, type Account, type Ways } from './changes.ts'

/** Result of a check. */
export interface Report {
  /** Number of answers by probe and answer, such as `list 403`. */
  answers: Map<string, number>
  violated: number
  /** The first ten violations. */
  violations: string[]
}

const probesAfterChange = 4
/** Limit of one request in ms. */
const patience = 20_000

/**
 * Changes the authority of users while others probe it through all servers. Compares each answer with the changes that were acknowledged
 * before its request and the changes that were sent before its end.
 * @param names the kinds of changes, which every user makes in this order
 */
export async function checkAuthority (served: TestServer, origins: string[], { users, names = Object.keys(kinds) }: { users: number, names?: string[] }): Promise<Report> {
  const random = randomFrom(7)
  const report: Report = { answers: new Map(), violated: 0, violations: [] }
  const exchange = exchangeOver(origins, random)
  const send = async (method: string, path: string, token: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, ...body === undefined ? {} : { 'content-type': 'application/json' } }
    return await exchange({ method, path, headers, content: body === undefined ? undefined : JSON.stringify(body) }, patience)
  }
  const superusuario = (await tokensOf(origins[0], 'superusuario@demo.example', demoPassword)).access
  // One connection, so one statement at a time.
  let last: Promise<unknown> = Promise.resolve()
  const psql: Ways['psql'] = async (text, values) => await (last = last.catch(() => {}).then(async () => await served.psql(text, values))) as Row[]

  const ways: Ways = {
    psql,
    async api (token, method, path, body) {
      const { status, text } = await send(method, path, token, body)
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    },
    superusuario,
    async open (user) {
      const [{ password }] = await psql('select password from users where id = $1', [user]) as [{ password: string }]
      return await served.app.tokens.open({ user, password }) as TokenPair
    }
  }

  /** Sends one probe with the account's present session to any server. */
  async function probe ({ subject }: Account): Promise<void> {
    const probe = pick(Object.keys(probes) as Probe[], random)
    const { method, path } = probes[probe]
    const end = subject.watch()
    const { status, headers: { etag }, body } = await send(method, path, subject.tokens.access, method === 'PATCH' ? {} : undefined)
    const answer = status === 200 ? `200 ${/^"(\d+)\./.exec(etag ?? '')?.[1]}` : status === 401 ? `401 ${body.code}` : String(status)
    const possible = end().map(rights => expected(probe, rights))
    count(report.answers, `${probe} ${answer.replace(/^200 .*/, '200')}`)
    if (possible.includes(answer)) return
    report.violated++
    if (report.violations.length < 10) report.violations.push(`${probe}: ${answer} instead of ${[...new Set(possible)].join(' or ')}`)
  }

  const ended = await Promise.allSettled(Array.from({ length: users }, async () => {
    const account = await makeAccount(ways)
    const changes = { done: false }
    const seen = async () => { for (let n = 0; n < probesAfterChange; n++) await probe(account) }
    const changing = async () => { for (const name of names) await kinds[name]?.(account, ways, seen) }
    const reading = async () => { while (!changes.done) await probe(account) }
    await seen()
    await Promise.all([changing().finally(() => { changes.done = true }), reading()])
  }))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return report
}

/** Creates a user with level 3 in one company and 2 in another one, and a company without members. */
async function makeAccount ({ psql, open }: Ways): Promise<Account> {
  const name = randomUUID()
  const insert = async (text: string, values: unknown[]) => ((await psql(`${text} returning id`, values))[0] as { id: number }).id
  const customer = await insert('insert into customers (nombre) values ($1)', [name])
  const otherCustomer = await insert('insert into customers (nombre) values ($1)', [name])
  const company = async (name: string) => await insert('insert into companies (nombre, customer_id) values ($1, $2)', [name, customer])
  const companies: [number, number] = [await company('a'), await company('b')]
  const own = await company('own')
  const user = await insert("insert into users (email, password, customer_id, company_id) values ($1 || '@x.example', 'none', $2, $3)", [name, customer, companies[0]])
  const member = async (company: number, level: number) => await insert('insert into memberships (user_id, company_id, nivel_acceso) values ($1, $2, $3)', [user, company, level])
  const memberships: [number, number] = [await member(companies[0], 3), await member(companies[1], 2)]
  return { user, customer, otherCustomer, companies, memberships, own, subject: new Subject(await open(user), initial({ companies })) }
}
