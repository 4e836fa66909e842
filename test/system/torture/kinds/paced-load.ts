import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Requests per second. */
const pace = 100

/** Results of other companies' requests of one kind: latency of each in ms, and the number that failed. */
export interface Results {
  times: number[]
  refused: number
}

/** Results by kind of request: seven of ten requests are reads, one is a filtered list, one a create, and one a create with an Idempotency-Key. */
export type Load = Record<'reads' | 'filtered lists' | 'creates' | 'keyed creates', Results>

/** Sends requests at a steady rate, without waiting for answers. Latency counts from the scheduled start of each. */
export async function loadAtPace (origin: string, tokens: string[], seconds: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true })
  const start = performance.now()
  const pending: Array<Promise<{ kind: keyof Load, time: number, status: number }>> = []
  for (let index = 0; index < pace * seconds; index++) {
    const due = start + index * 1000 / pace
    await sleep(Math.max(0, due - performance.now()))
    const kind = kinds[index % 10] ?? 'reads'
    pending.push(one(kind, index, origin, tokens[index % tokens.length], agent, due))
  }
  const answers = await Promise.all(pending)
  agent.destroy()
  const results = (kind: keyof Load): Results => {
    const own = answers.filter(answer => answer.kind === kind)
    return { times: own.map(({ time }) => time), refused: own.filter(({ status }) => status !== (kind.endsWith('creates') ? 201 : 200)).length }
  }
  return { reads: results('reads'), 'filtered lists': results('filtered lists'), creates: results('creates'), 'keyed creates': results('keyed creates') }
}

/** Kinds by the last digit of a request's number. The others are reads. */
const kinds: Partial<Record<number, keyof Load>> = { 3: 'creates', 5: 'keyed creates', 7: 'filtered lists' }

async function one (kind: keyof Load, index: number, origin: string, token: string, agent: Agent, due: number): Promise<{ kind: keyof Load, time: number, status: number }> {
  const paths = {
    reads: `contracts/?page=${index * 7 % 40 + 1}&page_size=${5 + index % 16}`,
    'filtered lists': `contracts/?estado=vigente&ordering=-monto&page_size=${5 + index % 16}`,
    creates: 'contracts/',
    'keyed creates': 'contracts/'
  }
  const body = kind.endsWith('creates') ? JSON.stringify({ folio: `V-${process.hrtime.bigint()}` }) : undefined
  const key = kind === 'keyed creates' ? { 'idempotency-key': `V-${process.hrtime.bigint()}` } : {}
  return await new Promise((resolve) => {
    const ended = (status: number) => resolve({ kind, time: performance.now() - due, status })
    const headers = { authorization: `Bearer ${token}`, ...key, ...body === undefined ? {} : { 'content-type': 'application/json' } }
    const sent = request(`${origin}/api/v1/${paths[kind]}`, { agent, method: body === undefined ? 'GET' : 'POST', headers, timeout: 10_000 }, (response) => {
      response.resume().once('end', () => ended(response.statusCode as number))
    })
    sent.on('error', () => ended(0)).on('timeout', () => { sent.destroy() }).end(body)
  })
}
