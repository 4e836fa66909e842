import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import type { Database } from '../../database/database.ts'
import type { FileStore } from '../../domain/adjuntos/file-store.ts'
import { replaceFile } from '../../http/replace-file.ts'
import { CliError } from '../output.ts'
import { copyFiles, type Copied } from './copy-files.ts'
import { writeList, type Written } from './list-file.ts'
import { folderOf, listsOf } from './lists.ts'
import { inCustomerSnapshot } from './snapshot.ts'

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
  lists: Written[]
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
  const written = await inCustomerSnapshot(database, customer, async (snapshot) => {
    for (const { id } of snapshot.companies) await mkdir(join(folder, folderOf(id)), { recursive: true, mode: 0o700 })
    const lists: Written[] = []
    for (const list of listsOf(snapshot)) lists.push(...await writeList(folder, list))
    const { at, customer, companies } = snapshot
    return { at, customer, companies, lists }
  })
  if (written === undefined) throw new CliError(`no such customer: ${customer}`)
  // After the snapshot, which a long copy would keep open. The store keeps deleted files for a day.
  const copies = store === undefined ? undefined : await copyAll(folder, written.companies, store)
  const result: Manifest = {
    obra: 'export',
    format: 1,
    version: manifest.version,
    ...written,
    files: copies?.reduce((sum, { files }) => sum + files, 0) ?? null,
    lost: copies?.flatMap(({ lost }) => lost) ?? []
  }
  await replaceFile(join(folder, 'manifest.json'), async file => await file.writeFile(`${JSON.stringify(result, null, 2)}\n`))
  return result
}

async function copyAll (folder: string, companies: Manifest['companies'], store: FileStore): Promise<Copied[]> {
  const copies: Copied[] = []
  for (const { id } of companies) copies.push(await copyFiles(folder, id, store))
  return copies
}

/** @throws {CliError} unless the folder is new or empty */
async function makeFolder (folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new CliError(`${folder} is not empty: name a new folder`)
}
