import { Type } from '@sinclair/typebox'
import type { Row } from '../../database/connection/sql.ts'
import { companyResources, recordedResources } from '../../domain/entities/index.ts'
import { companies } from '../../domain/accounts/companies.ts'
import { customers } from '../../domain/accounts/customers.ts'
import { memberships } from '../../domain/accounts/memberships.ts'
import { users } from '../../domain/accounts/users.ts'
import { readStoredFiles } from '../../domain/adjuntos/stored-files.ts'
import { entriesOf } from '../../domain/history/list.ts'
import { EntryOf } from '../../domain/history/schemas.ts'
import type { HistoryOwner } from '../../domain/history/statement.ts'
import { readAllEntries } from '../../domain/history/whole.ts'
import { columnsOf } from '../../resources/csv/columns.ts'
import type { Reader } from '../../resources/declaration/scope.ts'
import { readAllRecords } from '../../resources/reading/all-records.ts'
import type { AnyResource } from '../../resources/declaration/account-resource.ts'
import type { List } from './list-file.ts'
import type { CustomerSnapshot } from './snapshot.ts'

/** The lists of a customer: its accounts and their history, then the records, history and stored files of each company. */
export function * listsOf (snapshot: CustomerSnapshot): Generator<List> {
  for (const resource of [customers, companies, users, memberships]) yield recordsIn(resource.name, snapshot.accountReader, resource)
  yield historyIn('history', snapshot.accountHistoryReader, 'customer')
  for (const { id } of snapshot.companies) {
    const read = snapshot.companyReader(id)
    const folder = folderOf(id)
    for (const resource of companyResources) yield recordsIn(`${folder}/${resource.name}`, read, resource)
    yield historyIn(`${folder}/history`, read, 'company')
    yield { path: filesFolderOf(id), columns: columnsOf(StoredFile), parts: filesIn(read) }
  }
}

/** The folder of a company in an export. */
export function folderOf (company: number): string {
  return `companies/${company}`
}

/** The folder of a company's files in an export. */
export function filesFolderOf (company: number): string {
  return `${folderOf(company)}/files`
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

function historyIn (path: string, read: Reader, owner: HistoryOwner): List {
  return { path, columns: historyColumns, parts: readAllEntries(read, recordedResources, owner, toEntry) }
}

async function * filesIn (read: Reader): AsyncGenerator<Row[]> {
  for await (const files of readStoredFiles(read)) yield files.map(file => ({ ...file, path: `files/${file['sha256']}` }))
}

/** The hashes of stored files, by company. */
export async function hashesOf (snapshot: CustomerSnapshot): Promise<Map<number, string[]>> {
  const hashes = new Map<number, string[]>()
  for (const { id } of snapshot.companies) {
    const all: string[] = []
    for await (const files of readStoredFiles(snapshot.companyReader(id))) all.push(...files.map(({ sha256 }) => sha256))
    hashes.set(id, all)
  }
  return hashes
}
