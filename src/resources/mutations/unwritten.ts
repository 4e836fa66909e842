import { requestRows, type BatchQuery } from '../../database/turns/batch-requests.ts'
import { httpError, type Say } from '../../http/errors.ts'
import type { Reader } from '../declaration/scope.ts'
import { inputDigest } from '../writing/input.ts'
import { resultOfError, type Result } from './results.ts'
import type { MutationRequest } from './schemas.ts'
import { deviceTaken, settledResult } from './devices.ts'

/**
 * Answers a request whose sender may run none of its mutations, without a lock and without storing anything: otherwise, a user who may only
 * read could fill the database. A mutation that ran before the sender's level changed still gets its stored result.
 * @throws {HttpError} 403 `device_taken`
 */
export async function refuseMutations (
  read: Reader, { user, say }: { user: number, say: Say }, { device, mutations }: MutationRequest
): Promise<Result[]> {
  const rows = await read(storedQuery, [device, `{${mutations.map(({ id }) => id).join()}}`])
  if (rows[0] !== undefined && rows[0]['user'] !== user) throw deviceTaken()
  // What the request acknowledges is not stored, so it does not count either.
  const upTo: number = rows[0]?.['acknowledged'] ?? 0
  const known = {
    acknowledged: upTo,
    results: new Map(rows.filter(({ id }) => id > upTo).map(({ id, digest, result }) => [id, { digest, result: JSON.parse(result) }]))
  }
  return mutations.map(mutation =>
    settledResult(known, mutation, inputDigest(mutation), say) ?? resultOfError(mutation.id, httpError(403), say))
}

/** Whether a request has no mutations, and acknowledges results that the server keeps. */
export async function isAcknowledgement (
  read: Reader, user: number, { device, acknowledged = 0, mutations }: MutationRequest
): Promise<boolean> {
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
