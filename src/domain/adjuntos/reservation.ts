import type { Statement } from '../../database/connection/sql.ts'
import type { Run } from '../../database/turns/unit-of-work.ts'
import { httpError } from '../../http/errors.ts'
import type { Destination } from './destination.ts'

/**
 * Reserves the bytes of an upload with a row of `uploads`, under the lock of the company. Bytes that are reserved for a resumable upload of
 * the same attachment count once. Only the trigger that makes attachments `listo` decides which bytes are stored already. If the store has
 * lost them, the first upload that brings them back reserves none, because the lost file still counts.
 * @param id of the row
 * @param isResumable whether the upload can outlive its request
 * @throws {HttpError} 413 beyond the quota
 */
export async function reserve (run: Run, destination: Destination, id: string, isResumable = false): Promise<void> {
  const { storage: { quota }, tenant: { company }, attachment: { id: attachment, sha256, bytes } } = destination
  const [reserved] = await run({
    text: `
      insert into uploads (id, company_id, sha256, bytes, adjunto_id)
      select $2::uuid, $1::int, $3::text, n.bytes, case when $7 then $6::bigint end
      from (
        select case when exists (select from adjuntos where company_id = $1 and id = $6 and estado = 'listo')
          and not exists (select from uploads where company_id = $1 and sha256 = $3) then 0 else $4::int end
      ) n (bytes)
      where n.bytes = 0
        or n.bytes + coalesce((select sum(bytes) from stored_files where company_id = $1 and not (removing and sha256 = $3)), 0)
        + coalesce((select sum(bytes) from uploads where company_id = $1 and adjunto_id is distinct from $6), 0) <= $5::bigint
      returning id`,
    values: [company, id, sha256, bytes, quota, attachment, isResumable]
  })
  if (reserved === undefined) throw httpError(413, { code: 'quota_exceeded', key: 'quotaExceeded', values: { quota: quota / 1_000_000 } })
}

/** Ends a reservation. @returns a row, unless somebody has ended it */
export function withdrawal (company: number, id: string): Statement {
  return { text: 'delete from uploads where company_id = $1 and id = $2 returning id', values: [company, id] }
}

/** Ends a reservation in a transaction of its own. */
export async function withdraw ({ storage, tenant: { company } }: Destination, id: string): Promise<void> {
  await storage.sql.within([company], 'read write', [withdrawal(company, id)])
}

/** Keeps the row of an upload, even if somebody has deleted it. */
export async function keepRow ({ storage, tenant: { company }, attachment: { sha256, bytes } }: Destination, id: string): Promise<void> {
  await storage.sql.within([company], 'read write', [{
    text: 'insert into uploads (id, company_id, sha256, bytes) values ($1, $2, $3, $4) on conflict (id) do nothing',
    values: [id, company, sha256, bytes]
  }])
}
