import { requestRows, type BatchQuery } from '../../database/turns/requests.ts'
import type { Operation } from '../../auth/access.ts'
import type { Say } from '../../http/error-list.ts'
import { httpError } from '../../http/errors.ts'
import type { Resource } from '../declaration/resource.ts'
import type { Reader } from '../declaration/scope.ts'
import { inputDigest } from '../writing/idempotency.ts'
import { deviceTaken, type StoredResult } from './devices.ts'
import { resultOfError, type Result } from './results.ts'
import type { Mutation, MutationRequest } from './schemas.ts'

/** What a device has received or can receive again. */
interface Known {
  acknowledged: number
  results: ReadonlyMap<number, StoredResult>
}

/** The operation that a mutation needs at least: that of the resource's own request. */
export function neededFor ({ op }: Pick<Mutation, 'op'>, { access }: Resource): Operation {
  return op === 'delete' ? access.remove : access.write
}

/** The result of a mutation that must not run again: the stored one, or a refusal. Undefined for a new mutation. */
export function settledResult ({ acknowledged, results }: Known, { id }: Mutation, digest: Buffer, say: Say): Result | undefined {
  const stored = results.get(id)
  if (stored !== undefined) return stored.digest.equals(digest) ? { ...stored.result, replayed: true } : resultOfError(id, httpError(422, { key: 'mutationMismatch' }), say)
  return id <= acknowledged ? resultOfError(id, httpError(409, { code: 'already_acknowledged', key: 'alreadyAcknowledged' }), say) : undefined
}

/**
 * Answers a request whose sender may run none of its mutations, without a lock and without storing anything: otherwise, a user who may only read
 * could fill the database. A mutation that ran before the sender's level changed still gets its stored result.
 * @throws {HttpError} 403 `device_taken`
 */
export async function refuseMutations (read: Reader, { user, say }: { user: number, say: Say }, { device, mutations }: MutationRequest): Promise<Result[]> {
  const rows = await read(storedQuery, [device, `{${mutations.map(({ id }) => id).join()}}`])
  if (rows[0] !== undefined && rows[0]['user'] !== user) throw deviceTaken()
  // What the request acknowledges is not stored, so it does not count either.
  const upTo: number = rows[0]?.['acknowledged'] ?? 0
  const known = {
    acknowledged: upTo,
    results: new Map(rows.filter(({ id }) => id > upTo).map(({ id, digest, result }) => [id, { digest, result: JSON.parse(result) }]))
  }
  return mutations.map(mutation => settledResult(known, mutation, inputDigest(mutation), say) ?? resultOfError(mutation.id, httpError(403), say))
}

/** Whether a request has no mutations, and acknowledges results that the server keeps. */
export async function isAcknowledgement (read: Reader, user: number, { device, acknowledged = 0, mutations }: MutationRequest): Promise<boolean> {
  return mutations.length === 0 && (await read(keptQuery, [device, user, acknowledged])).length > 0
}

const kept = [['device', 'uuid'], ['user', 'int'], ['acknowledged', 'bigint']] as const

const keptQuery: BatchQuery = {
  name: 'kept results',
  columns: kept,
  text: `
    select q.i from ${requestRows(kept)}
    where exists (
      select from devices d join mutations m on m.company_id = d.company_id and m.device_id = d.id
      where d.company_id = q.company and d.id = q.device and d.user_id = q."user" and m.id <= q.acknowledged offset 0)`
}

const columns = [['device', 'uuid'], ['ids', 'text']] as const

const storedQuery: BatchQuery = {
  name: 'device results',
  columns,
  text: `
    select q.i, d.company_id as company, d.user_id as "user", d.acknowledged, m.id, m.digest, m.result
    from ${requestRows(columns)}
    join devices d on d.company_id = q.company and d.id = q.device
    left join lateral (
      select m.id, m.digest, m.result from mutations m
      where m.company_id = d.company_id and m.device_id = d.id and m.id = any (q.ids::bigint[]) offset 0) m on true`
}
