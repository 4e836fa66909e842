import type { Row } from '../../database/sql.ts'
import type { Run } from '../../database/transaction.ts'
import { httpError } from '../../http/errors.ts'
import type { Result } from './results.ts'

/** A record that a device has created. */
export interface Created {
  resource: string
  id: number
}

/** What the service remembers of a device, for the mutations of one request. */
export interface Memory {
  /** Results up to this id are no longer kept. */
  acknowledged: number
  /** Stored results by the id of the mutation. */
  results: Map<number, { digest: Buffer, result: Result }>
  /** Records by ref. */
  refs: Map<string, Created>
}

/** A result to remember. */
export interface Remembered {
  digest: Buffer
  result: Result
}

/**
 * Reads what is known of a device, and forgets the results that it has acknowledged.
 * @param refs the refs that the request uses
 * @throws {HttpError} 403 `device_taken` if it belongs to another user or company
 */
export async function recall (run: Run, owner: { user: number, company: number }, device: string, acknowledged: number, ids: number[], refs: string[]): Promise<Memory> {
  const { user, company } = owner
  // A device of another company is invisible, but its id is taken.
  await run({ text: 'insert into devices (id, user_id, company_id) values ($1, $2, $3) on conflict do nothing', values: [device, user, company] })
  const [known] = await run({
    text: 'update devices set used_at = clock_timestamp(), acknowledged = greatest(acknowledged, $4) where id = $1 and user_id = $2 and company_id = $3 returning acknowledged',
    values: [device, user, company, acknowledged]
  })
  if (known === undefined) throw httpError(403, { code: 'device_taken', key: 'deviceTaken' })
  await run({ text: 'delete from mutations where company_id = $1 and device_id = $2 and id <= $3', values: [company, device, known['acknowledged']] })
  const results = await run({ text: 'select id, digest, result from mutations where company_id = $1 and device_id = $2 and id = any ($3::bigint[])', values: [company, device, ids] })
  const created = await run({ text: 'select ref, resource, record_id as id from device_refs where company_id = $1 and device_id = $2 and ref = any ($3::text[])', values: [company, device, refs] })
  return {
    acknowledged: known['acknowledged'],
    results: new Map(results.map(({ id, digest, result }) => [id, { digest, result: JSON.parse(result) }])),
    refs: new Map(created.map(({ ref, resource, id }: Row) => [ref, { resource, id }]))
  }
}

/** Stores the results of mutations, and the records that they have created, in the transaction of their writes. */
export async function remember (run: Run, company: number, device: string, results: Remembered[], refs: Array<[ref: string, created: Created]>): Promise<void> {
  await run({
    text: 'insert into mutations (device_id, company_id, id, digest, result) select $1, $2, q.* from unnest($3::bigint[], $4::bytea[], $5::text[]) q',
    values: [device, company, results.map(({ result }) => result.id), results.map(({ digest }) => digest), results.map(({ result }) => JSON.stringify(result))]
  })
  if (refs.length === 0) return
  await run({
    text: 'insert into device_refs (device_id, company_id, ref, resource, record_id) select $1, $2, q.* from unnest($3::text[], $4::text[], $5::bigint[]) q',
    values: [device, company, refs.map(([ref]) => ref), refs.map(([, { resource }]) => resource), refs.map(([, { id }]) => id)]
  })
}
