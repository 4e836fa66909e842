import { randomFrom } from '../../support/trial/random.ts'
import type { Exchange } from '../kernel/client.ts'
import type { Act, HistoryRequest } from './act.ts'
import { actor, shared, upsert, type Send } from './actor.ts'
import { Board } from './board.ts'

/** A way to each server, of one actor. */
export type Ways = readonly Exchange[]

/** Limit of one request in ms. */
const patience = 20_000

/**
 * Runs actors concurrently in an empty company. The seed determines their choices; the answers depend on timing.
 * @param headers of every request
 * @param isEnough whether the acts so far are enough, so that the actors stop
 * @returns all requests and answers
 */
export async function play (actors: readonly Ways[], headers: Record<string, string>, seed: number, isEnough: (acts: Act[]) => boolean): Promise<Act[]> {
  const acts: Act[] = []
  const board = new Board()
  let clock = 0

  const sending = (number: number, ways: Ways): Send => async (request: HistoryRequest, index = 0) => {
    const server = index % ways.length
    const { method, path, body, ifMatch, ifNoneMatch, key } = request
    const named = { 'if-match': ifMatch, 'if-none-match': ifNoneMatch, 'idempotency-key': key, 'content-type': body === undefined ? undefined : 'application/json' }
    const given = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const sent = ++clock
    const content = body === undefined ? undefined : JSON.stringify(body)
    const answer = await ways[server]({ method, path, headers: { ...headers, ...Object.fromEntries(given) }, content }, patience)
    const { status, headers: { etag }, isReplayed: replayed } = answer
    const act: Act = { ...request, actor: number, server, sent, answered: ++clock, status, etag, replayed, answer: answer.body }
    acts.push(act)
    board.learn(act)
    return act
  }

  const cast = actors.map((ways, number) => {
    const random = randomFrom(seed * 1000 + number)
    const send = sending(number, ways)
    const anywhere: Send = async (request, index = Math.floor(random() * ways.length)) => await send(request, index)
    return { send: anywhere, act: actor(board, random, anywhere) }
  })
  await cast[0]?.send(upsert(shared.slice(0, 5), board.text(), () => '200.00'))
  // Without contracts the first act has failed, so there is nothing to compete for.
  await Promise.all(cast.map(async ({ act }) => {
    while (!isEnough(acts) && board.records.contracts.size > 0) await act()
  }))
  return acts
}
