import assert from 'node:assert/strict'
import { each, jsonOf, send, type Call } from './http.ts'
import type { Question, Sample } from './sample.ts'

/**
 * Asks a service the whole sample: what may be asked in any order, then, in order, the rest.
 * @returns each answer's body, as {@link page} and {@link created} leave it; nothing of an error, which services tell in words of their own
 * @throws {Error} for an answer of a status that is not the one due
 */
export async function askAll (server: string, { reads, writes }: Sample): Promise<unknown[]> {
  const ask = async ({ call, status }: Question): Promise<unknown> => {
    const answer = await send(server, call)
    if (answer.status !== status) throw new Error(`${named(call)} was answered by ${answer.status} instead of ${status}: ${answer.bytes.toString().slice(0, 300)}`)
    if (status >= 300) return undefined
    const body = jsonOf(answer)
    return status === 201 ? created(body) : page(body, server)
  }
  const bodies = await each(reads, ask)
  for (const question of writes) bodies.push(await ask(question))
  return bodies
}

/** Whether a service has answered the sample as expected. @throws {Error} with the first call that it has not, and the difference */
export function compare ({ reads, writes }: Sample, bodies: unknown[], expected: unknown[]): void {
  for (const [index, { call }] of [...reads, ...writes].entries()) {
    try {
      assert.deepEqual(bodies[index], expected[index])
    } catch (error) {
      throw new Error(`${named(call)} was answered in another way (+) than expected (-)\n${(error as Error).message}`)
    }
  }
}

function named ({ method = 'GET', path, body = '' }: Call): string {
  return `${method} ${path} ${body}`.trim()
}

/**
 * A page without what depends on the server: its address, and the cursor that `next` of Obra carries beside the number of the page. What
 * is no page stays as it is.
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

/** A new record without its id and instants, of which the form stays. */
export function created (body: Record<string, unknown>): Record<string, unknown> {
  const form = (value: unknown) => typeof value === 'string' ? value.replace(/\d/g, '0') : value
  return { ...body, id: typeof body['id'], created_at: form(body['created_at']), updated_at: form(body['updated_at']) }
}
