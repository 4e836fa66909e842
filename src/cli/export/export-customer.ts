import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import type { Database } from '../../database/database.ts'
import type { FileStore } from '../../domain/adjuntos/file-store.ts'
import { replaceFile } from '../../http/replace-file.ts'
import { CliError } from '../output.ts'
import { copyFiles } from './copy-files.ts'
import { writeList, type ListFile } from './list-file.ts'
import { folderOf, hashesOf, listsOf } from './lists.ts'
import { CustomerSnapshot } from './snapshot.ts'

/** `manifest.json`, which is written last: an export without it is incomplete. */
export interface Manifest {
  obra: 'export'
  /** Version of the format. */
  format: 1
  /** Version of Obra. */
  version: string
  /** The moment of all records. */
  at: string
  customer: { id: number, nombre: string }
  companies: Array<{ id: number, nombre: string }>
  /** The lists, each as CSV and JSON. */
  lists: ListFile[]
  /** Copied files of attachments; null if they were left out. */
  files: number | null
  /** Keys, `<company>/<sha256>`, of files that were missing or damaged. */
  lost: string[]
}

/**
 * Writes all data of a customer of one moment to a folder, and copies the files of attachments.
 * @param folder that does not exist or is empty
 * @param store of the files; undefined to leave them out
 * @throws {CliError} for an unknown customer, or a folder that is not empty
 */
export async function exportCustomer (
  database: Pick<Database, 'pool' | 'check'>, customer: number, folder: string, store: FileStore | undefined
): Promise<Manifest> {
  await makeFolder(folder)
  const { hashes, ...exported } = await writeLists(database, customer, folder)
  // After the snapshot, which a long copy would keep open. The store keeps deleted files for a day.
  const copied = store === undefined ? undefined : await copyFiles(folder, hashes, store)
  const result: Manifest = {
    obra: 'export',
    format: 1,
    version: manifest.version,
    ...exported,
    files: copied?.files ?? null,
    lost: copied?.lost ?? []
  }
  await replaceFile(join(folder, 'manifest.json'), async file => await file.writeFile(`${JSON.stringify(result, null, 2)}\n`))
  return result
}

/** Writes the lists of one snapshot. @returns also the hashes of files to copy @throws {CliError} for an unknown customer */
async function writeLists (database: Pick<Database, 'pool' | 'check'>, customer: number, folder: string) {
  await using snapshot = await CustomerSnapshot.open(database, customer)
  const lists: ListFile[] = []
  for (const { id } of snapshot.companies) await mkdir(join(folder, folderOf(id)), { recursive: true, mode: 0o700 })
  for (const list of listsOf(snapshot)) lists.push(...await writeList(folder, list))
  return { at: snapshot.at, customer: snapshot.customer, companies: snapshot.companies, lists, hashes: await hashesOf(snapshot) }
}

/** @throws {CliError} unless the folder is new or empty */
async function makeFolder (folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new CliError(`${folder} is not empty: name a new folder`)
}
