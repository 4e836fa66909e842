import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { slowDigest } from '../../auth/passwords.ts'
import type { Database } from '../../database/database.ts'
import { awaitReplication } from '../../database/connection/replication.ts'
import type { Statement } from '../../database/connection/sql.ts'
import { maxWaitMs } from '../../database/turns/crowded.ts'
import { combined, requestRows, type BatchQuery, type BatchRequest } from '../../database/turns/batch-requests.ts'
import type { UnitOfWork } from '../../database/turns/unit-of-work.ts'
import { httpError, type HttpError, ValidationError } from '../../http/errors.ts'
import { requestSlices } from '../../http/slices.ts'
import { callerOf } from '../../limits/caller.ts'
import { limitHashing } from '../../limits/hashing.ts'
import { inputDigest, sorted } from './input.ts'

/** The Idempotency-Key of a request, with its scope and a digest of the request. */
export interface IdempotencyKey {
  user: number
  /** The active company, or null for accounts. */
  company: number | null
  /** The caller's level and customer. A caller with others does not get the stored answer. */
  reach: string
  route: string
  key: string
  /** Number of its lock, the same in all processes. */
  lock: number
  /** SHA-256 of the input. If it can contain a password, a slow hash of that. */
  digest: Buffer
}

/** Where a key is used: the company, null for accounts, and the caller's level there. */
export interface KeyPlace {
  company: number | null
  level: number
}

/** Makes the digest of an input. @param caller as `callerOf` names it */
export type DigestOf<I> = (input: I, caller: string) => Buffer | Promise<Buffer>

/**
 * The Idempotency-Key of a request (draft-ietf-httpapi-idempotency-key-header, but any printable text is accepted).
 * @param header value of the header
 * @param input the parsed body. White space, the order of fields and notations of amounts do not matter.
 * @param digestOf by default {@link inputDigest}
 * @param hasSecrets whether the body can contain a password, which a fast digest would reveal to a reader of the database
 * @throws {ValidationError} under `Idempotency-Key` unless it has 1 to 255 printable characters
 */
export async function idempotencyKey<I> (
  header: string, request: FastifyRequest, { company, level }: KeyPlace, input: I, hasSecrets = false, digestOf: DigestOf<I> = inputDigest
): Promise<IdempotencyKey> {
  // Node.js decodes headers as Latin-1, but most clients send UTF-8.
  const utf8 = Buffer.from(header, 'latin1').toString('utf8')
  const key = utf8.includes('\ufffd') ? header : utf8
  if (!/^\P{C}{1,255}$/u.test(key)) throw new ValidationError([{ field: 'Idempotency-Key', key: 'idempotencyKey' }])
  const { user, customer } = request.caller
  const { url: route = '' } = request.routeOptions
  const digest = await digestOf(input, callerOf(request))
  const scope = { user, company, reach: `${level}:${customer ?? ''}`, route, key }
  return {
    ...scope,
    lock: request.server.keyNumber(nameOf(scope)),
    digest: hasSecrets ? await limitHashing(request, async () => await slowDigest(digest, `${user} ${route} ${key}`)) : digest
  }
}

/** The digest of {@link inputDigest} for a bulk. Other requests run between its items. @param caller as `callerOf` names it */
export async function bulkDigest (
  { items, upsert, partial }: { items: unknown[], upsert: string | undefined, partial: boolean }, caller: string
): Promise<Buffer> {
  const digest = createHash('sha256').update('{"items":[')
  const pause = requestSlices.begin(caller)
  for (const [index, item] of items.entries()) {
    digest.update(`${index === 0 ? '' : ','}${JSON.stringify(item, sorted)}`)
    await pause()
  }
  digest.update(upsert === undefined ? ']}' : `],"upsert":${JSON.stringify(upsert)}}`)
  return (partial ? digest.update('partial') : digest).digest()
}

/** An answer that is sent and stored. */
export interface StoredAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** Records that are written in units of work. */
interface Units<W> {
  unit: <T>(work: (unit: UnitOfWork, writer: W) => Promise<T>, options: { key: IdempotencyKey, deadline: number }) => Promise<T>
}

/** Keys of the requests in progress in this process. */
const inProgress = new WeakMap<Database, Set<string>>()

/**
 * Returns the answer stored under a key in the last 24 hours, or else that of `write`, which is stored in the same transaction. A failed
 * `write` stores nothing.
 * @param attempt writes without a unit, until a deadline by `performance.now()`. Without a result, it has written nothing.
 * @throws {HttpError} 409 while another request uses the key, 422 if the key was used with another input; errors of the unit and of `write`
 */
export async function once<W> (
  database: Database, records: Units<W>, key: IdempotencyKey, write: (writer: W) => Promise<StoredAnswer>,
  attempt?: (key: IdempotencyKey, deadline: number) => Promise<StoredAnswer | undefined>
): Promise<StoredAnswer> {
  const keys = inProgress.get(database) ?? new Set<string>()
  inProgress.set(database, keys)
  const name = nameOf(key)
  if (keys.has(name)) throw stillRunning()
  keys.add(name)
  // The same deadline for both attempts, so that they do not add up.
  const deadline = performance.now() + maxWaitMs
  try {
    return await attempt?.(key, deadline) ?? await records.unit(async (unit, writer) => {
      const stored = storedAnswer(unit, key)
      if (stored.state === 'stored') return stored.answer
      const answer = await write(writer)
      unit.last.push(...combined([storing(key, answer)]).statements)
      return answer
    }, { key, deadline })
  } finally {
    keys.delete(name)
  }
}

// `is not distinct from` cannot use an index.
const ofKey = (company: string) => `where user_id = $1 and key = $4 and route = $3 and ${company} and reach = $5`
const inCompany = ofKey('company_id = $2::int')
const ofAccounts = ofKey('company_id is null and $2::int is null')

/** The statement that reads the answer stored under a key. */
export function answerStatement (key: IdempotencyKey): Statement {
  return {
    name: key.company === null ? 'answer to accounts' : 'answer in company',
    text: `
      select id, digest, status, headers, body, created_at <= statement_timestamp() - interval '24 hours' as lapsed
      from idempotency_keys ${key.company === null ? ofAccounts : inCompany}`,
    values: scopeOf(key)
  }
}

type Stored = { state: 'stored', answer: StoredAnswer } | { state: 'new' }

/**
 * The unit has tried to lock the key in all processes. This only refuses early: the lock of the company or of accounts, and the unique row
 * of the key, let no second request with the key write.
 */
function storedAnswer ({ hasKey, first, last }: UnitOfWork, key: IdempotencyKey): Stored {
  if (!hasKey) throw stillRunning()
  const [row] = first.at(-1) ?? []
  if (row === undefined) return { state: 'new' }
  if (row['lapsed'] === true) {
    // The purge has not removed it yet.
    last.push({ text: 'delete from idempotency_keys where id = $1', values: [row['id']] })
    return { state: 'new' }
  }
  if (!key.digest.equals(row['digest'])) throw httpError(422)
  last.push(awaitReplication)
  return {
    state: 'stored', answer: { status: row['status'], headers: { ...row['headers'], 'idempotency-replayed': 'true' }, body: row['body'] }
  }
}

/** The columns of {@link scopeOf}, as parameters of a batch query. */
export const keyColumns = [
  ['key_user', 'int'], ['key_company', 'int'], ['key_route', 'text'], ['key_text', 'text'], ['key_reach', 'text']
] as const

/** Where an answer is stored. */
export function scopeOf ({ user, company, route, key, reach }: IdempotencyKey): unknown[] {
  return [user, company, route, key, reach]
}

/**
 * SQL over `q` with {@link keyColumns}: whether no answer is stored under the key. A lapsed answer counts as stored. `offset 0` keeps it a
 * lookup per row.
 */
export const keyIsNew = `not exists (
  select from idempotency_keys k
  where k.user_id = q.key_user and k.key = q.key_text and k.route = q.key_route
    and k.company_id = q.company and k.reach = q.key_reach offset 0)`

const answerColumns = [...keyColumns, ['digest', 'bytea'], ['status', 'int'], ['headers', 'text'], ['body', 'text']] as const
const storeAnswers: BatchQuery = {
  name: 'store answers',
  columns: answerColumns,
  text: `
    insert into idempotency_keys (user_id, company_id, route, key, reach, digest, status, headers, body)
    select q.key_user, q.key_company, q.key_route, q.key_text, q.key_reach, q.digest, q.status, q.headers::jsonb, q.body
    from ${requestRows(answerColumns)}`
}

/** The request that stores an answer. */
export function storing (key: IdempotencyKey, { status, headers, body }: StoredAnswer): BatchRequest {
  return { query: storeAnswers, company: key.company ?? 0, values: [...scopeOf(key), key.digest, status, JSON.stringify(headers), body] }
}

function nameOf ({ user, company, reach, route, key }: Omit<IdempotencyKey, 'lock' | 'digest'>): string {
  return JSON.stringify([user, company, reach, route, key])
}

function stillRunning (): HttpError {
  return httpError(409, { key: 'idempotencyRunning' })
}
