import { Type } from '@sinclair/typebox'
import type { Row } from '../../database/connection/sql.ts'
import { requestRows, type BatchQuery } from '../../database/turns/requests.ts'
import { companyResources, recordedResources } from '../../domain/entities/index.ts'
import { companies } from '../../domain/accounts/companies.ts'
import { customers } from '../../domain/accounts/customers.ts'
import { memberships } from '../../domain/accounts/memberships.ts'
import { users } from '../../domain/accounts/users.ts'
import { entriesOf } from '../../domain/history/list.ts'
import { EntryOf } from '../../domain/history/schemas.ts'
import { historyKeys, historyStatement, type Owner } from '../../domain/history/statement.ts'
import { columnsOf } from '../../resources/csv/columns.ts'
import type { Reader } from '../../resources/declaration/scope.ts'
import { readAllRecords } from '../../resources/reading/all-records.ts'
import type { AnyResource } from '../../resources/declaration/account-resource.ts'
import type { List } from './list-file.ts'
import type { CustomerSnapshot } from './snapshot.ts'

const rowsAtOnce = 500

/** The lists of a customer: its accounts and their history, then the records, history and stored files of each company. */
export function * listsOf ({ accounts, accountHistory, companies: tenants, of }: CustomerSnapshot): Generator<List> {
  for (const resource of [customers, companies, users, memberships]) yield recordsIn(resource.name, accounts, resource)
  yield historyIn('history', accountHistory, 'customer')
  for (const { id } of tenants) {
    const read = of(id)
    const folder = folderOf(id)
    for (const resource of companyResources) yield recordsIn(`${folder}/${resource.name}`, read, resource)
    yield historyIn(`${folder}/history`, read, 'company')
    yield { path: `${folder}/files`, columns: columnsOf(StoredFile), parts: filesIn(read) }
  }
}

/** The folder of a company in an export. */
export function folderOf (company: number): string {
  return `companies/${company}`
}

/** A file that complete attachments have. */
const StoredFile = Type.Object({
  sha256: Type.String(),
  bytes: Type.Integer(),
  tipo: Type.String(),
  path: Type.String()
})

function recordsIn (path: string, read: Reader, resource: AnyResource): List {
  return { path, columns: columnsOf(resource.schemas.item), parts: readAllRecords(read, resource) }
}

const toEntry = entriesOf(recordedResources)
const historyColumns = columnsOf(EntryOf(recordedResources.map(({ name }) => name)))

function historyIn (path: string, read: Reader, owner: Owner): List {
  return { path, columns: historyColumns, parts: entriesIn(read, owner) }
}

/** All entries, the newest first. */
async function * entriesIn (read: Reader, owner: Owner): AsyncGenerator<Row[]> {
  const list = { owner, conditions: [] }
  const [first, next] = [historyStatement(recordedResources, list, false), historyStatement(recordedResources, list, true)]
  let rows = await read(first, [rowsAtOnce])
  while (rows.length > 0) {
    yield rows.map(toEntry)
    const last = rows.at(-1) as Row
    rows = await read(next, [rowsAtOnce, ...historyKeys.map(({ field }) => last[field])])
  }
}

const filesColumns = [['after', 'text'], ['limit', 'int']] as const

/** The files of a company that an attachment uses. */
const filesAfter: BatchQuery = {
  columns: filesColumns,
  text: `
    select q.i, f.* from ${requestRows(filesColumns)}
    cross join lateral (
      select sha256, bytes, tipo, 'files/' || sha256 as path from stored_files s
      where s.company_id = q.company and s.sha256 > q.after and s.unused_since is null and not s.removing
      order by s.sha256 limit q."limit") f
    order by f.sha256`
}

async function * filesIn (read: Reader): AsyncGenerator<Row[]> {
  let rows = await read(filesAfter, ['', rowsAtOnce])
  while (rows.length > 0) {
    yield rows
    rows = await read(filesAfter, [rows.at(-1)?.['sha256'], rowsAtOnce])
  }
}
