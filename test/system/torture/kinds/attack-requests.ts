import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { jsonOf, send } from '../../../support/trial/http.ts'
import { superuserOptions } from '../../../support/trial/superuser.ts'

/** A request of an attacker: a GET, or a POST if it has a body. */
export interface AttackRequest {
  /** Path after `/api/v1/`, or from the root if it begins with `/`. */
  path: string
  token?: string
  /** Text of a JSON body. */
  body?: string
  headers?: Record<string, string>
}

// A loopback address that the measured callers do not use, so that limits by address do not affect them.
const attacker = '127.0.0.66'

/** Makes a function that sends a request and discards the answer. It returns the seconds of `Retry-After`, 0 without. */
export function sender (origin: string, connections: number): (request: AttackRequest) => Promise<number> {
  const { hostname, port } = new URL(origin)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return async ({ path, token, body, headers: given }) => await new Promise((resolve) => {
    const headers = { ...token === undefined ? {} : { authorization: `Bearer ${token}` }, ...body === undefined ? {} : { 'content-type': 'application/json' }, ...given }
    let wait = 0
    const sent = request({ hostname, port, path: path.startsWith('/') ? path : `/api/v1/${path}`, agent, localAddress: attacker, method: body === undefined ? 'GET' : 'POST', headers, timeout: 15_000 }, (response) => {
      wait = Number(response.headers['retry-after'] ?? 0)
      response.on('error', () => resolve(wait)).on('close', () => resolve(wait)).resume()
    })
    sent.on('error', () => resolve(wait)).on('timeout', () => { sent.destroy() })
    sent.end(body)
  })
}

/** Sends requests on several connections, each as soon as the last one was answered. @param isPatient whether it waits as `Retry-After` says @returns the number of requests sent */
export async function repeat (origin: string, connections: number, ending: AbortSignal, next: (index: number) => AttackRequest, isPatient = false): Promise<number> {
  const send = sender(origin, connections)
  let sent = 0
  await Promise.all(Array.from({ length: connections }, async () => {
    while (!ending.aborted) {
      const seconds = await send(next(sent++))
      if (isPatient && seconds > 0) await sleep(1000 * seconds)
    }
  }))
  return sent
}

/** Sends requests at a fixed interval in ms, without waiting for answers, on at most 1,000 connections. @returns the number of requests sent */
export async function every (milliseconds: number, origin: string, ending: AbortSignal, next: (index: number) => AttackRequest): Promise<number> {
  const send = sender(origin, 1000)
  let sent = 0
  while (!ending.aborted) {
    send(next(sent++))
    await sleep(milliseconds)
  }
  return sent
}

/** Creates a record. @param path after `/api/v1/` @returns its id @throws {Error} with the answer, if it is refused */
export async function created (origin: string, token: string, path: string, body: object): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await send(origin, { method: 'POST', path: `/api/v1/${path}`, headers, body: JSON.stringify(body) })
  if (answer.status !== 201) throw new Error(`${path} was answered by ${answer.status}: ${answer.bytes.toString().slice(0, 300)}`)
  return jsonOf(answer).id
}

/** Opens a connection. Its errors are ignored. */
export async function opened (origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ port: Number(port), host: hostname, localAddress: attacker })
  socket.on('error', () => {})
  await new Promise(resolve => socket.once('connect', resolve).once('close', resolve))
  return socket
}

/** The text of a GET request. */
export const raw = (path: string, token: string) => `GET /api/v1/${path} HTTP/1.1\r\nHost: obra\r\nAuthorization: Bearer ${token}\r\n\r\n`

/** Holds the locks of companies from another database session. */
export async function holding (databaseUrl: string, companies: number[], work: () => Promise<number>): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl, options: superuserOptions })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select 1 from company_revisions where company_id = any ($1) for update', [companies])
    return await work()
  } finally {
    await client.end()
  }
}
