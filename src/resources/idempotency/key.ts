import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ValidationError } from '../../http/errors.ts'
import { limitHashing } from '../../limits/hashing.ts'
import { slowDigest } from '../../auth/passwords.ts'

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
 * @param place the company, null for accounts, and the caller's level there
 * @param input what the body says. Spaces, the order of fields and ways of writing an amount make no other request
 * @param hasSecrets whether the body may hold a password, which a fast digest would give away to a reader of the database
 * @throws {ValidationError} under `Idempotency-Key` for what is not 1 to 255 printable characters
 */
export async function idempotencyKey (request: FastifyRequest, { company, level }: { company: number | null, level: number }, input: unknown, hasSecrets = false): Promise<IdempotencyKey | undefined> {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  // Node reads headers as Latin-1; most clients write UTF-8.
  const utf8 = Buffer.from(String(header), 'latin1').toString('utf8')
  const key = utf8.includes('\ufffd') ? String(header) : utf8
  if (!/^\P{C}{1,255}$/u.test(key)) throw new ValidationError([{ field: 'Idempotency-Key', key: 'idempotencyKey' }])
  const { user, customer } = request.caller
  const route = request.routeOptions.url as string
  const digest = createHash('sha256').update(JSON.stringify(input, sorted)).digest()
  return {
    user,
    company,
    reach: `${level}:${customer ?? ''}`,
    route,
    key,
    digest: hasSecrets ? await limitHashing(request, async () => await slowDigest(digest, `${user} ${route} ${key}`)) : digest
  }
}

/** Sorts fields by name, so that the order of a declaration makes no other request. */
function sorted (_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1))
}
