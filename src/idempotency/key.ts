import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ValidationError } from '../errors.ts'

/** A request's Idempotency-Key, with what it holds for and what was asked under it. */
export interface IdempotencyKey {
  user: number
  /** The active company; null where the request is about accounts. */
  company: number | null
  /** The caller's level and customer. A caller with other ones does not get the stored answer. */
  reach: string
  route: string
  key: string
  /** SHA-256 of what was asked. */
  digest: Buffer
}

/**
 * The Idempotency-Key of a request, if it has one (draft-ietf-httpapi-idempotency-key-header, though any printable text is a key).
 * @param place the company and the level there; for a request about accounts, null and the account's own level
 * @param asked what the body says, read: spaces, the order of fields and ways of writing an amount make no other request
 * @throws {ValidationError} under `Idempotency-Key` for what is not 1 to 255 printable characters
 */
export function idempotencyKey (request: FastifyRequest, { company, level }: { company: number | null, level: number }, asked: unknown): IdempotencyKey | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  // Node reads headers as Latin-1; most clients write UTF-8.
  const utf8 = Buffer.from(String(header), 'latin1').toString('utf8')
  const key = utf8.includes('\ufffd') ? String(header) : utf8
  if (!/^\P{C}{1,255}$/u.test(key)) throw new ValidationError([{ field: 'Idempotency-Key', key: 'idempotencyKey' }])
  const { user, customer } = request.caller
  return {
    user,
    company,
    reach: `${level}:${customer ?? ''}`,
    route: request.routeOptions.url as string,
    key,
    digest: createHash('sha256').update(JSON.stringify(asked)).digest()
  }
}
