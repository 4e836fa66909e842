import type { FastifyReply } from 'fastify'
import type { Row } from '../database/sql.ts'
import type { IdempotencyKey } from './key.ts'
import type { Answer } from './once.ts'

/** What a POST writes with, which can also write once under a key. */
export interface Once<W> {
  /** The answer given under a key, or else the one that `write` gives, in a unit of work that keeps it. */
  once: (key: IdempotencyKey, write: (writer: W) => Promise<Answer>) => Promise<Answer>
}

/** Answers a POST with 201 and what it writes: under an Idempotency-Key once, however often the same is asked. */
export async function post<W> (reply: FastifyReply, key: IdempotencyKey | undefined, target: W & Once<W>, write: (writer: W) => Promise<{ headers: Answer['headers'], body: Row }>): Promise<FastifyReply> {
  const answer = async (writer: W): Promise<Answer> => {
    const { headers, body } = await write(writer)
    return { status: 201, headers, body: reply.serializeInput(body, '201') as string }
  }
  const { status, headers, body } = key === undefined ? await answer(target) : await target.once(key, answer)
  return await reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
}
