import assert from 'node:assert/strict'
import { each, jsonOf, send, type Call } from '../test/support/trial/http.ts'
import type { Question, Sample } from './sample.ts'

/**
 * Sends the sample to a service: the reads concurrently, then the writes in order.
 * @returns the body of each answer, normalized by {@link page} and {@link created}; undefined for errors, whose texts differ
 * @throws {Error} if an answer has another status than expected
 */
export async function askAll (server: string, { reads, writes }: Sample): Promise<unknown[]> {
  const ask = async ({ call, status }: Question): Promise<unknown> => {
    const answer = await send(server, call)
    const begin = answer.bytes.toString().slice(0, 300)
    if (answer.status !== status) throw new Error(`${named(call)} was answered by ${answer.status} instead of ${status}: ${begin}`)
    if (status >= 300) return undefined
    const body = jsonOf(answer)
    return status === 201 ? created(body) : page(body, server)
  }
  const bodies = await each(reads, ask)
  for (const question of writes) bodies.push(await ask(question))
  return bodies
}

/** Compares the answers of a service with the expected ones. @throws {Error} with the first different call and the difference */
export function compare ({ reads, writes }: Sample, bodies: unknown[], expected: unknown[]): void {
  for (const [index, { call }] of [...reads, ...writes].entries()) {
    try {
      assert.deepEqual(bodies[index], expected[index])
    } catch (error) {
      throw new Error(`${named(call)} got another answer (+) than expected (-)\n${(error as Error).message}`)
    }
  }
}

function named ({ method = 'GET', path, body = '' }: Call): string {
  return `${method} ${path} ${body}`.trim()
}

/**
 * Removes from a page what depends on the server: the server's address in links, and the cursor in Obra's `next`. Returns other bodies
 * unchanged.
 */
export function page (body: Record<string, unknown>, server: string): Record<string, unknown> {
  const link = (value: unknown) => {
    if (typeof value !== 'string') return value
    const url = new URL(value)
    url.searchParams.delete('cursor')
    return url.href.replace(server, '')
  }
  return 'results' in body ? { ...body, next: link(body['next']), previous: link(body['previous']) } : body
}

/** Replaces the id of a new record by its type, and the digits of its timestamps by zeros. */
export function created (body: Record<string, unknown>): Record<string, unknown> {
  const form = (value: unknown) => typeof value === 'string' ? value.replace(/\d/g, '0') : value
  return { ...body, id: typeof body['id'], created_at: form(body['created_at']), updated_at: form(body['updated_at']) }
}
