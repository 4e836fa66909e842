import { limits } from '../../config/limits.ts'
import type { Row } from '../../database/connection/sql.ts'
import type { Run, UnitOfWork } from '../../database/turns/unit-of-work.ts'
import { httpError, type HttpError, type Say } from '../../http/errors.ts'
import { resultOfError, type Result } from './results.ts'
import type { Mutation } from './schemas.ts'

/** A record that a device has created. */
export interface Created {
  resource: string
  id: number
}

/** A stored result, and the digest of its mutation. */
interface StoredResult {
  digest: Buffer
  result: Result
}

/** Devices of a user in a company. */
export const maxDevices = limits.devices.ofUser

/** Results that a device has not acknowledged: their number, and the bytes from which no further ones are stored. */
export const maxResults = limits.devices.results
const maxResultBytes = limits.devices.resultBytes

/** The owner of a device. */
interface DeviceOwner {
  user: number
  company: number
}

/** The stored state of a device, for the mutations of one request. */
interface DeviceState {
  /** Results up to this id are no longer stored. */
  acknowledged: number
  /** By the id of the mutation. */
  results: Map<number, StoredResult>
  /** Records by ref. */
  refs: Map<string, Created>
}

/**
 * Reads the state of a device, registers a new one, and discards the results that it has acknowledged. A user with the maximum number of
 * devices loses the one that was idle longest, if it has acknowledged all results.
 * @param acknowledged the device has the results up to this id
 * @param ids of the mutations whose results are read
 * @param refs whose records are read
 * @throws {HttpError} 403 `device_taken` if it belongs to another user or company, 403 `too_many_devices`, 409 `too_many_results`
 */
export async function openDevice (
  run: Run, owner: DeviceOwner, device: string, acknowledged: number, ids: number[], refs: string[]
): Promise<DeviceState> {
  const given = { device, acknowledged, ids, refs }
  // The purge can remove a device between two statements.
  let opened = await findOrAdd(run, owner, given)
  if (opened === undefined) {
    await makeRoom(run, owner)
    opened = await findOrAdd(run, owner, given)
  }
  if (opened !== undefined) return opened
  throw await hasRoom(run, owner)
    ? deviceTaken()
    : httpError(403, { code: 'too_many_devices', key: 'tooManyDevices', values: { count: maxDevices } })
}

/** What a request says of its device. */
interface Given {
  device: string
  acknowledged: number
  ids: number[]
  refs: string[]
}

/**
 * Registers a device, unless the user has too many, and reads its state in one round trip. A device of another company is invisible, but
 * its id is taken.
 * @returns undefined without such a device of the owner
 * @throws {HttpError} 409 `too_many_results`
 */
async function findOrAdd (
  run: Run, { user, company }: DeviceOwner, { device, acknowledged, ids, refs }: Given
): Promise<DeviceState | undefined> {
  const [, [known], , results, [stored], created] = await Promise.all([
    run({ text: addDevice, values: [device, user, company] }),
    run({ text: useDevice, values: [device, user, company, acknowledged] }),
    run({ text: forgetAcknowledged, values: [device, user, company] }),
    run({
      text: 'select id, digest, result from mutations where company_id = $1 and device_id = $2 and id = any ($3::bigint[])',
      values: [company, device, ids]
    }),
    run({
      text: `
        select count(*)::int as n, coalesce(sum(pg_column_size(result)), 0)::int as bytes
        from mutations where company_id = $1 and device_id = $2`,
      values: [company, device]
    }),
    run({
      text: 'select ref, resource, record_id as id from device_refs where company_id = $1 and device_id = $2 and ref = any ($3::text[])',
      values: [company, device, refs]
    })
  ])
  if (known === undefined) return undefined
  const fresh = ids.filter(id => id > known['acknowledged']).length - results.length
  if (fresh > 0) refuseUnacknowledged(stored, fresh)
  return {
    acknowledged: known['acknowledged'],
    results: new Map(results.map(({ id, digest, result }) => [id, { digest, result: JSON.parse(result) }])),
    refs: new Map(created.map(({ ref, resource, id }) => [ref, { resource, id }]))
  }
}

const addDevice = `
  insert into devices (id, user_id, company_id)
  select $1, $2, $3 where (select count(*) from devices where company_id = $3 and user_id = $2) < ${maxDevices} on conflict do nothing`

const useDevice = `
  update devices set used_at = clock_timestamp(), acknowledged = greatest(acknowledged, $4)
  where id = $1 and user_id = $2 and company_id = $3 returning acknowledged`

const forgetAcknowledged = `
  delete from mutations where company_id = $3 and device_id = $1
    and id <= (select acknowledged from devices where id = $1 and user_id = $2 and company_id = $3)`

/** Discards the results that a device has acknowledged, without other mutations. An unknown device has none. */
export async function acknowledgeResults (run: Run, { user, company }: DeviceOwner, device: string, acknowledged: number): Promise<void> {
  await Promise.all([
    run({ text: useDevice, values: [device, user, company, acknowledged] }),
    run({ text: forgetAcknowledged, values: [device, user, company] })
  ])
}

/** Forgets an idle device if the user has too many. One with a result can still repeat its mutation, which would then run again. */
async function makeRoom (run: Run, owner: DeviceOwner): Promise<void> {
  if (await hasRoom(run, owner)) return
  await run({
    text: `delete from devices where id = (
      select d.id from devices d where d.company_id = $1 and d.user_id = $2 and d.used_at < clock_timestamp() - interval '1 day'
        and not exists (select from mutations m where m.company_id = d.company_id and m.device_id = d.id)
      order by d.used_at limit 1)`,
    values: [owner.company, owner.user]
  })
}

/** The refusal of a device of another user or company. */
export function deviceTaken (): HttpError {
  return httpError(403, { code: 'device_taken', key: 'deviceTaken' })
}

async function hasRoom (run: Run, { user, company }: DeviceOwner): Promise<boolean> {
  const text = 'select count(*)::int as n from devices where company_id = $1 and user_id = $2'
  const [row] = await run({ text, values: [company, user] })
  return row?.['n'] < maxDevices
}

/** @param fresh number of results to add @throws {HttpError} 409 if too many would be stored */
function refuseUnacknowledged ({ n, bytes }: Row, fresh: number): void {
  if (n + fresh <= maxResults && bytes <= maxResultBytes) return
  throw httpError(409, { code: 'too_many_results', key: 'tooManyResults', values: { count: maxResults } })
}

/** Stores results, and created records by ref, together with the commit of the writes. */
export function storeResults (
  { last }: UnitOfWork, company: number, device: string, results: StoredResult[], refs: ReadonlyMap<string, Created>
): void {
  last.push({
    text: `
      insert into mutations (device_id, company_id, id, digest, result)
      select $1, $2, q.* from unnest($3::bigint[], $4::bytea[], $5::text[]) q`,
    values: [
      device,
      company,
      results.map(({ result }) => result.id),
      results.map(({ digest }) => digest),
      results.map(({ result }) => JSON.stringify(result))
    ]
  })
  if (refs.size === 0) return
  last.push({
    text: `
      insert into device_refs (device_id, company_id, ref, resource, record_id)
      select $1, $2, q.* from unnest($3::text[], $4::text[], $5::bigint[]) q`,
    values: [device, company, [...refs.keys()], [...refs.values()].map(({ resource }) => resource), [...refs.values()].map(({ id }) => id)]
  })
}

/** The result of a mutation that must not run again: the stored one, or a refusal. Undefined for a new mutation. */
export function settledResult (
  { acknowledged, results }: Pick<DeviceState, 'acknowledged' | 'results'>, { id }: Mutation, digest: Buffer, say: Say
): Result | undefined {
  const stored = results.get(id)
  if (stored !== undefined) {
    return stored.digest.equals(digest)
      ? { ...stored.result, replayed: true }
      : resultOfError(id, httpError(422, { key: 'mutationMismatch' }), say)
  }
  return id <= acknowledged
    ? resultOfError(id, httpError(409, { code: 'already_acknowledged', key: 'alreadyAcknowledged' }), say)
    : undefined
}
