import { randomFrom } from '../../../src/trial/random.ts'
import type { Connection } from '../freshness/connection.ts'
import type { Act, HistoryRequest } from './act.ts'
import { actor, shared, upsert, type Send } from './actor.ts'
import { Board } from './board.ts'

/** The connections of each actor, to all servers in turn, and the headers of every request. */
export interface Cast {
  connections: Connection[][]
  headers: Record<string, string>
}

/**
 * Runs actors concurrently in an empty company until they have sent `most` requests. The seed determines their choices; the answers
 * depend on timing.
 * @returns all requests and answers
 */
export async function play ({ connections, headers }: Cast, seed: number, most: number): Promise<Act[]> {
  const acts: Act[] = []
  const board = new Board()
  let clock = 0

  const sending = (number: number, own: Connection[]): Send => {
    const origins = [...new Set(own.map(({ origin }) => origin))]
    return async (request: HistoryRequest, index = 0) => {
      const { origin, send } = own[index] as Connection
      const { method, path, body, ifMatch, ifNoneMatch, key } = request
      const named = { 'if-match': ifMatch, 'if-none-match': ifNoneMatch, 'idempotency-key': key }
      const given = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== undefined)
      const sent = ++clock
      const answer = await send(method, `/api/v1/${path}`, { ...headers, ...Object.fromEntries(given) }, body)
      const act: Act = {
        ...request,
        actor: number,
        server: origins.indexOf(origin),
        sent,
        answered: ++clock,
        status: answer.status,
        etag: answer.etag,
        replayed: answer.replayed,
        answer: answer.body === '' ? undefined : JSON.parse(answer.body)
      }
      acts.push(act)
      board.learn(act)
      return act
    }
  }

  const cast = connections.map((own, number) => {
    const random = randomFrom(seed * 1000 + number)
    const send = sending(number, own)
    const anywhere: Send = async (request, index = Math.floor(random() * own.length)) => await send(request, index)
    return { send: anywhere, act: actor(board, random, anywhere, own.length) }
  })
  await cast[0]?.send(upsert(shared.slice(0, 5), board.text(), () => '200.00'))
  // Without contracts the first act has failed, so there is nothing to compete for.
  await Promise.all(cast.map(async ({ act }) => {
    while (acts.length < most && board.contracts.size > 0) await act()
  }))
  return acts
}
