import type { Database } from '../../database/database.ts'
import { httpError, type HttpError } from '../../http/errors.ts'
import type { Run } from '../../database/transaction.ts'
import type { IdempotencyKey } from './key.ts'

/** An answer as it is sent, and kept to be sent again. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

const underWay = new WeakMap<Database, Set<string>>()

/**
 * Refuses a request while another under the same key is being answered by this process.
 * @throws {HttpError} 409
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
 * @throws {HttpError} 409 when another transaction has it
 */
export async function claim (run: Run, key: IdempotencyKey): Promise<void> {
  const [row] = await run({ text: 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as claimed', values: [nameOf(key)] })
  if (row?.['claimed'] !== true) throw stillRunning()
}

/**
 * The answer that was given under a key within a day, or else the one that `work` gives, kept in the transaction that `work` is in: whatever
 * dies, there are both or neither. What fails is not kept.
 * @throws {HttpError} 422 when something else was asked under the key; what `work` throws
 */
export async function once (run: Run, key: IdempotencyKey, work: () => Promise<Answer>): Promise<Answer> {
  const values = [key.user, key.company, key.route, key.key, key.reach]
  // `is not distinct from` cannot use an index.
  const inCompany = key.company === null ? 'company_id is null and $2::int is null' : 'company_id = $2::int'
  const [given] = await run({
    text: `
      select id, digest, status, headers, body, created_at <= statement_timestamp() - interval '24 hours' as lapsed
      from idempotency_keys where user_id = $1 and key = $4 and route = $3 and ${inCompany} and reach = $5`,
    values
  })
  if (given?.['lapsed'] === false) {
    if (!key.digest.equals(given['digest'])) throw httpError(422)
    return { status: given['status'], headers: { ...given['headers'], 'idempotency-replayed': 'true' }, body: given['body'] }
  }

  const answer = await work()
  // The purge has not removed the expired key yet.
  if (given !== undefined) await run({ text: 'delete from idempotency_keys where id = $1', values: [given['id']] })
  await run({
    text: 'insert into idempotency_keys (user_id, company_id, route, key, reach, digest, status, headers, body) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    values: [...values, key.digest, answer.status, JSON.stringify(answer.headers), answer.body]
  })
  return answer
}

function nameOf ({ user, company, reach, route, key }: IdempotencyKey): string {
  return JSON.stringify([user, company, reach, route, key])
}

function stillRunning (): HttpError {
  return httpError(409, { key: 'idempotencyRunning' })
}
