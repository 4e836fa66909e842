import assert from 'node:assert/strict'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { bytesPath, change, everyPage, hotCall, newContract, oneEach, post } from './calls.ts'
import type { User } from './data.ts'
import { each, get, jsonOf, type LoadAnswer } from './http.ts'
import { pick } from './random.ts'
import type { LoadTarget, Workload } from './workload.ts'

const isCreated = (answer: LoadAnswer) => assert.match(jsonOf(answer).folio, /^BENCH-\d+$/)

function isPage (answer: LoadAnswer, { perCompany }: LoadTarget): void {
  const { count, results } = jsonOf(answer)
  if (perCompany !== undefined) assert.equal(count, perCompany, 'count is not the seeded number')
  assert.equal(results.length, Math.min(20, count), 'results are not a full page')
}

/** The workloads in order of execution: writes come last. */
export const workloads: Workload[] = [
  {
    name: 'hot-list',
    about: 'one user reads the first page of contracts',
    isRead: true,
    status: 200,
    calls: target => [hotCall(target)],
    check: isPage
  },
  {
    name: 'lists',
    about: 'every user reads pages 1 to 5 of contracts',
    isRead: true,
    status: 200,
    calls: everyPage,
    check: isPage
  },
  {
    name: 'compressed',
    about: 'lists, with the Accept-Encoding of browsers',
    isRead: true,
    status: 200,
    calls: target => everyPage(target).map(({ headers, ...call }) => ({ ...call, headers: { ...headers, 'accept-encoding': 'gzip, deflate, br, zstd' } })),
    check: answer => assert.notEqual(answer.headers.get('content-encoding'), null, 'not compressed')
  },
  {
    name: 'detail',
    about: 'users read random single contracts',
    isRead: true,
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
    isRead: true,
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
      return { perSecond: writers.length, status: 200, calls: () => change(target, writers[turn++ % writers.length]) }
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

/** The yardsticks as workloads, whose answers must have the bytes of the hot list. */
export function yardstickWorkloads (hot: Buffer): Workload[] {
  const common = { status: 200, check: (answer: LoadAnswer) => assert.ok(answer.bytes.equals(hot), "the yardstick's bytes are not the hot list's") }
  return [
    { ...common, name: 'yardstick', yardstick: 'serialized', about: 'bare Fastify route that serializes the same list, no auth, no database', calls: target => [hotCall(target)] },
    { ...common, name: 'bytes', yardstick: 'bytes', about: 'bare Fastify route that sends the same bytes from memory', calls: target => [{ ...hotCall(target), path: bytesPath }] }
  ]
}
