import type { Row } from '../../database/connection/sql.ts'
import { requestRows, type BatchQuery } from '../../database/turns/batch-requests.ts'
import type { Reader } from '../../resources/declaration/scope.ts'
import { keysetPages } from '../../resources/reading/keyset.ts'

const columns = [['limit', 'int'], ['after', 'text']] as const

/** The next files of a company that an attachment uses. */
const filesAfter: BatchQuery = {
  columns,
  text: `
    select q.i, f.* from ${requestRows(columns)}
    cross join lateral (
      select sha256, bytes, tipo from stored_files s
      where s.company_id = q.company and s.sha256 > q.after and s.unused_since is null and not s.removing
      order by s.sha256 limit q."limit") f
    order by f.sha256`
}

/** Reads the files that attachments of a company use: `sha256`, `bytes` and `tipo`, in the order of the hashes. @yields parts */
export function readStoredFiles (read: Reader): AsyncGenerator<Row[]> {
  return keysetPages(read, filesAfter, { sha256: '' })
}
