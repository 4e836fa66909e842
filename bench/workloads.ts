import assert from 'node:assert/strict'
import { demoPassword } from '../src/domain/demo/data.ts'
import type { Data, User } from './data.ts'
import { each, get, jsonOf, type Answer, type Call } from './http.ts'
import { pick, randomFrom, type Random } from '../test/support/random.ts'

/** A kind of load. */
export interface Workload {
  name: string
  about: string
  /** The status that every answer must have. */
  status: number
  /** Number of connections, if the run's default is too high. */
  connections?: number
  /** Records that a request writes, if the rate counts records. */
  records?: number
  /** Without the page cache, so that every read queries the database. */
  uncached?: boolean
  /** Requests during the load that are not measured. */
  beside?: (target: Target) => Beside
  /** A list of requests, distributed among the connections and repeated, or a function that makes the next one. */
  calls: (target: Target) => Promise<Call[]> | Call[] | (() => Call)
  /** Checks the first answer. @throws {Error} if it is wrong */
  check: (answer: Answer, target: Target) => void
}

/** Requests sent during a load, at an even rate per second. */
export interface Beside {
  perSecond: number
  status: number
  calls: () => Call
}

/** The target of workloads. */
export interface Target {
  server: string
  data: Data
  random: Random
  /** Number of contracts in each seeded company. */
  perCompany: number
}

const pages = [1, 2, 3, 4, 5]
const list = ({ headers }: User, page = 1): Call => ({ path: page === 1 ? '/api/v1/contracts/' : `/api/v1/contracts/?page=${page}`, headers })
const everyPage = ({ data }: Target): Call[] => data.users.flatMap(user => pages.map(page => list(user, page)))

/** The request of the hot list, which the yardstick gets too: one user's first page. */
export const hotCall = ({ data }: Target): Call => list(data.users[0] as User)

const post = ({ headers }: User, path: string, body: unknown): Call =>
  ({ method: 'POST', path, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) })

let made = 0

/** A new contract with a unique folio. */
function newContract ({ data, random }: Target, company: number) {
  return {
    folio: `BENCH-${++made}`,
    contraparte: pick(data.companies.get(company)?.parties ?? [], random),
    monto: `${100_000 + made}.50`,
    descripcion: 'Suministro y colocación de concreto premezclado',
    fecha_inicio: '2026-03-01'
  }
}

/** A unique change of a contract of the user's company. */
function change ({ data, random }: Target, { headers, company }: User): Call {
  const id = pick(data.companies.get(company)?.contracts ?? [], random)
  return { method: 'PATCH', path: `/api/v1/contracts/${id}/`, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify({ monto: `${++made}.25` }) }
}

/** One user of each company. */
const oneEach = ({ data }: Target): User[] => [...new Map(data.users.map(user => [user.company, user])).values()]

const isCreated = (answer: Answer) => assert.match(jsonOf(answer).folio, /^BENCH-\d+$/)

function isPage (answer: Answer, { perCompany }: Target): void {
  const { count, results } = jsonOf(answer)
  assert.equal(count, perCompany, 'count is not the seeded number')
  assert.equal(results.length, 20, 'results are not a full page')
}

/** The workloads in order of execution: writes come last. */
export const workloads: Workload[] = [
  {
    name: 'hot-list',
    about: 'one user reads the first page of contracts',
    status: 200,
    calls: target => [hotCall(target)],
    check: isPage
  },
  {
    name: 'lists',
    about: 'every user reads pages 1 to 5 of contracts',
    status: 200,
    calls: everyPage,
    check: isPage
  },
  {
    name: 'detail',
    about: 'users read random single contracts',
    status: 200,
    calls: ({ data, random }) => () => {
      const { headers, company } = pick(data.users, random)
      const id = pick(data.companies.get(company)?.contracts ?? [], random)
      return { path: `/api/v1/contracts/${id}/`, headers }
    },
    check: answer => assert.equal(typeof jsonOf(answer).descripcion, 'string', 'not a complete contract')
  },
  {
    name: 'polls',
    about: 'every user polls pages 1 to 5, which have not changed',
    status: 304,
    calls: async target => await each(everyPage(target), async ({ path, headers }) => {
      const etag = (await get(target.server, { path, headers })).headers.get('etag')
      assert.ok(etag !== null, `${path} has no ETag`)
      return { path, headers: { ...headers, 'if-none-match': etag } }
    }),
    check: answer => assert.equal(answer.bytes.length, 0, '304 with a body')
  },
  {
    name: 'misses',
    about: 'lists, without the page cache',
    status: 200,
    uncached: true,
    calls: everyPage,
    check: isPage
  },
  {
    name: 'written',
    about: 'lists, while a contract of every company changes each second',
    status: 200,
    beside: (target) => {
      const writers = oneEach(target)
      let turn = 0
      return { perSecond: writers.length, status: 200, calls: () => change(target, writers[turn++ % writers.length] as User) }
    },
    calls: everyPage,
    check: isPage
  },
  {
    name: 'create',
    about: 'users create contracts in their companies',
    status: 201,
    calls: target => () => {
      const user = pick(target.data.users, target.random)
      return post(user, '/api/v1/contracts/', newContract(target, user.company))
    },
    check: isCreated
  },
  {
    name: 'create-one',
    about: 'users create contracts in a single company',
    status: 201,
    calls: (target) => {
      const [user] = target.data.users as [User]
      return () => post(user, '/api/v1/contracts/', newContract(target, user.company))
    },
    check: isCreated
  },
  {
    name: 'change',
    about: 'users change the amount of a contract',
    status: 200,
    calls: target => () => change(target, pick(target.data.users, target.random)),
    check: answer => assert.match(jsonOf(answer).monto, /^\d+\.25$/)
  },
  {
    name: 'bulk',
    about: 'users create 1,000 contracts per request; the rate counts contracts',
    status: 201,
    connections: 4,
    records: 1000,
    calls: target => () => {
      const user = pick(target.data.users, target.random)
      return post(user, '/api/v1/contracts/bulk/', { items: Array.from({ length: 1000 }, () => newContract(target, user.company)) })
    },
    check: answer => assert.equal(jsonOf(answer).count, 1000)
  },
  {
    name: 'log-in',
    about: 'users log in by email and password (argon2id)',
    status: 200,
    // A log-in uses a core for long: more connections would only measure the queue.
    connections: 8,
    calls: ({ data }) => data.users.map(({ email }) => ({
      method: 'POST',
      path: '/api/v1/api-token-auth/',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: demoPassword })
    })),
    check: answer => assert.equal(typeof jsonOf(answer).access, 'string', 'no token')
  }
]

/** The yardstick as a workload: the request of the hot list, whose answer must have the same bytes. */
export function yardstick (name: string, hot: Buffer): Workload {
  return {
    name,
    about: 'bare Fastify route, the same bytes, no auth, no database',
    status: 200,
    calls: target => [hotCall(target)],
    check: answer => assert.ok(answer.bytes.equals(hot), "the yardstick's bytes are not the hot list's")
  }
}

/** The random numbers of a workload. They do not depend on which other workloads run. */
export function randomOf ({ name }: Workload): Random {
  return randomFrom([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0) | 0, 7))
}
