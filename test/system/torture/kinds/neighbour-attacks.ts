import { Agent, request, type RequestOptions } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { jsonOf, send } from '../../../../bench/http.ts'

/** The target of an attack, and the credentials of the attacker: one user of one company. */
export interface AttackTarget {
  /** Scheme, host and port. */
  origin: string
  databaseUrl: string
  /** Access tokens of live sessions of the attacker. */
  tokens: string[]
  /** Access tokens of this user, who is no attacker: one with a revoked session, one expired. */
  revoked: string
  expired: string
  email: string
  /** The attacker's company; it has many contracts. */
  company: number
  /** Companies whose locks other database sessions hold, each with a token of one of its users. */
  others: Array<{ company: number, token: string }>
}

/** One way for one caller to use more than its share. */
export interface Attack {
  name: string
  about: string
  /** Seconds that it runs before others' reads are measured, 1 by default. */
  lead?: number
  /** Runs until `ending` is aborted. @returns how many requests it has sent */
  run: (target: AttackTarget, ending: AbortSignal) => Promise<number>
  /** Checks the effects on one user. @returns failures, one line each */
  check?: (target: AttackTarget) => Promise<string[]>
}

// A loopback address that the measured callers do not use, so that limits by address do not affect them.
const attacker = '127.0.0.66'

function sender (origin: string, connections: number) {
  const { hostname, port } = new URL(origin)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  /** Sends a request and discards the answer. */
  return async (path: string, { token, body, ...options }: RequestOptions & { token?: string, body?: string } = {}): Promise<void> => await new Promise((resolve) => {
    const headers = { ...token === undefined ? {} : { authorization: `Bearer ${token}` }, ...body === undefined ? {} : { 'content-type': 'application/json' } }
    const sent = request({ hostname, port, path: `/api/v1/${path}`, agent, localAddress: attacker, method: body === undefined ? 'GET' : 'POST', headers, timeout: 15_000, ...options }, (response) => {
      response.on('error', () => resolve()).on('close', resolve).resume()
    })
    sent.on('error', () => resolve()).on('timeout', () => { sent.destroy() })
    sent.end(body)
  })
}

/** Repeats a request on several connections. @returns the number of requests sent */
async function repeat (connections: number, ending: AbortSignal, send: (index: number) => Promise<void>): Promise<number> {
  let sent = 0
  await Promise.all(Array.from({ length: connections }, async () => {
    while (!ending.aborted) await send(sent++)
  }))
  return sent
}

/** Sends a request at a fixed interval in ms, without waiting for answers. */
async function every (milliseconds: number, ending: AbortSignal, send: (index: number) => void): Promise<number> {
  let sent = 0
  while (!ending.aborted) {
    send(sent++)
    await sleep(milliseconds)
  }
  return sent
}

/** Holds the locks of companies from another database session. */
async function holding (databaseUrl: string, companies: number[], work: () => Promise<number>): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select 1 from company_revisions where company_id = any ($1) for update', [companies])
    return await work()
  } finally {
    await client.end()
  }
}

/** A JSON object of 120,000 keys, a little less than 1 MiB. */
const manyKeys = () => `{${Array.from({ length: 120_000 }, (_, index) => `"${index.toString(36)}":0`).join(',')}}`

const newContract = (index: number) => JSON.stringify({ folio: `N-${process.hrtime.bigint()}-${index}` })

async function opened (origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ port: Number(port), host: hostname, localAddress: attacker })
  socket.on('error', () => {})
  await new Promise(resolve => socket.once('connect', resolve).once('close', resolve))
  return socket
}

/** The owner of a stolen token logs in and is answered. */
async function ownerIsServed ({ origin, email }: AttackTarget): Promise<string[]> {
  const body = JSON.stringify({ email, password: demoPassword })
  const answer = await send(origin, { method: 'POST', path: '/api/v1/api-token-auth/', headers: { 'content-type': 'application/json' }, body })
  if (answer.status !== 200) return [`the owner's log-in was answered by ${answer.status}`]
  const { status } = await send(origin, { path: '/api/v1/contracts/', headers: { authorization: `Bearer ${jsonOf(answer).access}` } })
  return status === 200 ? [] : [`the owner's request was answered by ${status}`]
}

const raw = (path: string, token: string) => `GET /api/v1/${path} HTTP/1.1\r\nHost: obra\r\nAuthorization: Bearer ${token}\r\n\r\n`

/** All attacks, in the order in which they run. */
export const neighbourAttacks: readonly Attack[] = [
  {
    name: 'large-body',
    about: 'bodies of 120,000 unknown keys without a token, 2 connections',
    async run ({ origin }, ending) {
      const body = manyKeys()
      const send = sender(origin, 2)
      return await repeat(2, ending, async () => await send('api-token-auth/', { body }))
    }
  },
  {
    name: 'large-body-logged-in',
    about: 'the same bodies to contracts/, 2 connections',
    async run ({ origin, tokens: [token] }, ending) {
      const body = manyKeys()
      const send = sender(origin, 2)
      return await repeat(2, ending, async () => await send('contracts/', { body, token }))
    }
  },
  {
    name: 'disconnects',
    about: '3,000 clients that disconnect before the answer, then 40 busy connections',
    lead: 6,
    async run ({ origin, tokens }, ending) {
      for (let gone = 0; gone < 3000; gone += 100) {
        await Promise.all(Array.from({ length: 100 }, async (_, index) => {
          const socket = await opened(origin)
          socket.write(raw(`contracts/?page_size=200&search=x${gone + index}`, tokens[0] as string))
          await sleep(1)
          socket.destroy()
        }))
      }
      const send = sender(origin, 40)
      return 3000 + await repeat(40, ending, async index => await send(`contracts/?page_size=200&page=${index % 50 + 1}`, { token: tokens[index % tokens.length] }))
    }
  },
  {
    name: 'lock',
    about: "one company's lock held by another database session, a create there every 40 ms",
    // The lock timeout of PostgreSQL: after it the number of waiting writes no longer grows.
    lead: 11,
    async run ({ origin, databaseUrl, company, tokens: [token] }, ending) {
      const send = sender(origin, 1000)
      return await holding(databaseUrl, [company], async () => await every(40, ending, (index) => { send('contracts/', { token, body: newContract(index) }) }))
    }
  },
  {
    name: 'locks',
    about: 'the locks of ten companies held, creates and bulks to each every 40 ms',
    lead: 11,
    async run ({ origin, databaseUrl, others }, ending) {
      const send = sender(origin, 1000)
      return await holding(databaseUrl, others.map(({ company }) => company), async () => await every(40, ending, (index) => {
        const { token } = others[index % others.length] as AttackTarget['others'][number]
        if (index % 2 === 0) send('contracts/', { token, body: newContract(index) })
        else send('contracts/bulk/', { token, body: `{"items":[${newContract(index)}]}` })
      }))
    }
  },
  {
    name: 'searches',
    about: 'searches for a common word among all contracts of a large company, 16 connections',
    async run ({ origin, tokens: [token] }, ending) {
      const send = sender(origin, 16)
      return await repeat(16, ending, async index => await send(`contracts/?search=o&ordering=-monto,moneda&monto_min=${index}`, { token }))
    }
  },
  {
    name: 'revoked-token',
    about: 'requests with a revoked token, 8 connections',
    lead: 10,
    async run ({ origin, revoked }, ending) {
      const send = sender(origin, 8)
      return await repeat(8, ending, async () => await send('contracts/', { token: revoked }))
    },
    check: ownerIsServed
  },
  {
    name: 'expired-token',
    about: 'requests to api-token-refresh/ with an expired access token, 8 connections',
    lead: 10,
    async run ({ origin, expired }, ending) {
      const send = sender(origin, 8)
      return await repeat(8, ending, async () => await send('api-token-refresh/', { token: expired, body: '{"refresh":"x"}' }))
    },
    check: ownerIsServed
  },
  {
    name: 'refused-bulks',
    about: 'bulks of 999 new contracts and one that exists, 1 connection',
    async run ({ origin, tokens: [token] }, ending) {
      const send = sender(origin, 1)
      await send('contracts/', { token, body: '{"folio":"N-TAKEN"}' })
      const items = (index: number) => Array.from({ length: 999 }, (_, item) => ({ folio: `B-${index}-${item}` }))
      return await repeat(1, ending, async index => await send('contracts/bulk/', { token, body: JSON.stringify({ items: [...items(index), { folio: 'N-TAKEN' }] }) }))
    }
  },
  {
    name: 'slow-readers',
    about: '100 connections that each request 50 large pages and read no answer',
    async run ({ origin, tokens: [token] }, ending) {
      const sockets = await Promise.all(Array.from({ length: 100 }, async () => await opened(origin)))
      for (const [index, socket] of sockets.entries()) {
        socket.pause()
        socket.write(raw(`contracts/?page_size=200&page=${index + 1}`, token as string).repeat(50))
      }
      while (!ending.aborted) await sleep(50)
      for (const socket of sockets) socket.destroy()
      return sockets.length * 50
    }
  },
  {
    name: 'pipelined',
    about: '4 connections that send 1,000 requests in one write, repeatedly',
    async run ({ origin, tokens: [token] }, ending) {
      let sent = 0
      await Promise.all(Array.from({ length: 4 }, async (_, index) => {
        while (!ending.aborted) {
          const socket = await opened(origin)
          socket.resume()
          for (let page = 0; page < 1000; page++) socket.write(raw(`contracts/?page=${(index * 1000 + page) % 3000 + 1}`, token as string))
          sent += 1000
          await Promise.race([new Promise(resolve => socket.once('close', resolve)), sleep(1000)])
          socket.destroy()
        }
      }))
      return sent
    }
  },
  {
    name: 'orderings',
    about: 'every ordering of two fields, 8 connections',
    async run ({ origin, tokens: [token] }, ending) {
      const fields = ['id', 'folio', 'contraparte', 'monto', 'moneda', 'fecha_inicio', 'fecha_fin', 'estado', 'created_at', 'updated_at'].flatMap(field => [field, `-${field}`])
      const pairs = fields.flatMap(first => fields.map(second => `${first},${second}`))
      const send = sender(origin, 8)
      return await repeat(8, ending, async index => await send(`contracts/?page_size=1&ordering=${pairs[index % pairs.length]}`, { token }))
    }
  }
]
