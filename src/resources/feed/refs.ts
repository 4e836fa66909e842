import { byIndex } from '../../database/by-index.ts'
import { requestRows, type BatchQuery } from '../../database/turns/batch-requests.ts'
import type { Revision } from '../../http/representation.ts'
import type { FeedTenant } from './feed-tenant.ts'

const columns: BatchQuery['columns'] = [['device', 'uuid'], ['ids', 'text']]

/** The records of a device among these ids. Ids of all resources: few of them are the same. */
const query: BatchQuery = {
  name: 'refs',
  columns,
  text: byIndex(`
      select q.i, f.company_id as company, f.resource, f.record_id as id, f.ref
      from ${requestRows(columns)}
      cross join lateral unnest(string_to_array(q.ids, ',')::bigint[]) w (id)
      cross join lateral (
        select f.* from device_refs f
        where f.company_id = q.company and f.device_id = q.device and f.record_id = by_index(w.id)) f`)
}

/**
 * Finds the names that a device has given to the records of a page. A record and its name are created in one transaction, so a read after
 * that of the page finds all of them.
 * @param at the revision of the page
 * @param ids of the records
 * @returns names by `resource/id`
 */
export async function refsOf (tenant: FeedTenant, at: Revision, device: string, ids: number[]): Promise<Map<string, string>> {
  const rows = ids.length === 0 ? [] : await tenant.read(query, [device, ids.join()], at)
  return new Map(rows.map(({ resource, id, ref }) => [`${resource}/${id}`, ref]))
}
