import type { Database } from '../database/database.ts'
import { ApiError } from '../errors.ts'
import type { Run } from '../resources/transaction.ts'
import type { IdempotencyKey } from './key.ts'

/** An answer as it is sent, and kept to be sent again. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/** Hours for which an answer is kept. */
const kept = 24

const underWay = new WeakMap<Database, Set<string>>()

/**
 * Refuses a request while another under the same key is being answered by this process.
 * @throws {ApiError} 409
 */
export async function alone<T> (database: Database, key: IdempotencyKey, work: () => Promise<T>): Promise<T> {
  const keys = underWay.get(database) ?? new Set<string>()
  underWay.set(database, keys)
  const name = nameOf(key)
  if (keys.has(name)) throw stillRunning()
  keys.add(name)
  try {
    return await work()
  } finally {
    keys.delete(name)
  }
}

/**
 * Takes a key until the transaction ends, whatever ends it, in all processes.
 * @throws {ApiError} 409 when another transaction has it
 */
export async function claim (run: Run, key: IdempotencyKey): Promise<void> {
  const [row] = await run({ text: 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as claimed', values: [nameOf(key)] })
  if (row?.['claimed'] !== true) throw stillRunning()
}

/**
 * The answer that was given under a key, or else the one that `work` gives, kept in the transaction that `work` is in: whatever
 * dies, there are both or neither. What fails is not kept.
 * @throws {ApiError} 422 when something else was asked under the key; what `work` throws
 */
export async function once (run: Run, key: IdempotencyKey, work: () => Promise<Answer>): Promise<Answer> {
  const values = [key.user, key.company, key.route, key.key]
  const [given] = await run({
    text: `
      select digest, status, headers, body from idempotency_keys
      where user_id = $1 and company_id is not distinct from $2 and route = $3 and key = $4 and created_at > clock_timestamp() - make_interval(hours => ${kept})`,
    values
  })
  if (given !== undefined) {
    if (!key.digest.equals(given['digest'])) throw new ApiError(422, 'idempotency_mismatch', 'idempotencyMismatch')
    return { status: given['status'], headers: { ...given['headers'], 'idempotency-replayed': 'true' }, body: given['body'] }
  }

  const answer = await work()
  await run({
    text: `delete from idempotency_keys where user_id = $1 and company_id is not distinct from $2 and created_at <= clock_timestamp() - make_interval(hours => ${kept})`,
    values: values.slice(0, 2)
  })
  await run({
    text: 'insert into idempotency_keys (user_id, company_id, route, key, digest, status, headers, body) values ($1, $2, $3, $4, $5, $6, $7, $8)',
    values: [...values, key.digest, answer.status, JSON.stringify(answer.headers), answer.body]
  })
  return answer
}

function nameOf ({ user, company, route, key }: IdempotencyKey): string {
  return JSON.stringify([user, company, route, key])
}

function stillRunning (): ApiError {
  return new ApiError(409, 'conflict', 'idempotencyRunning')
}
