import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Row } from '../../database/connection/sql.ts'
import type { Column } from '../../resources/csv/columns.ts'
import { csvOf } from '../../resources/csv/write.ts'

/** A file of an export, as the manifest lists it. */
export interface ListFile {
  /** Relative to the folder of the export. */
  path: string
  rows: number
  bytes: number
  sha256: string
}

/** A list to write. */
export interface List {
  /** Path without extension, relative to the folder of the export. */
  path: string
  columns: Column[]
  parts: AsyncIterable<Row[]>
}

/**
 * Writes a list as CSV, in the form of the API, and as a JSON array with one record per line. It has one part in memory at a time.
 * @param folder of the export; only its owner can read the files
 */
export async function writeList (folder: string, { path, columns, parts }: List): Promise<ListFile[]> {
  const { header, lines } = await csvOf(columns)
  await using csv = await NewFile.create(folder, `${path}.csv`)
  await using json = await NewFile.create(folder, `${path}.json`)
  const names = columns.map(({ name }) => name)
  let rows = 0
  await csv.write(header)
  await json.write('[')
  for await (const part of parts) {
    await csv.write(lines(part))
    const records = part.map(row => JSON.stringify(Object.fromEntries(names.map(name => [name, row[name] ?? null]))))
    await json.write(`${rows === 0 ? '' : ','}\n${records.join(',\n')}`)
    rows += part.length
  }
  await json.write('\n]\n')
  return [await csv.end(rows), await json.end(rows)]
}

/** A file that did not exist before. */
class NewFile {
  readonly #path: string
  readonly #file: Awaited<ReturnType<typeof open>>
  readonly #hash = createHash('sha256')
  #bytes = 0

  private constructor (path: string, file: Awaited<ReturnType<typeof open>>) {
    this.#path = path
    this.#file = file
  }

  static async create (folder: string, path: string): Promise<NewFile> {
    return new NewFile(path, await open(join(folder, path), 'wx', 0o600))
  }

  async write (text: string): Promise<void> {
    const bytes = Buffer.from(text)
    this.#hash.update(bytes)
    this.#bytes += bytes.length
    await this.#file.appendFile(bytes)
  }

  /** Waits until the file is on disk. */
  async end (rows: number): Promise<ListFile> {
    await this.#file.sync()
    return { path: this.#path, rows, bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }

  async [Symbol.asyncDispose] (): Promise<void> {
    await this.#file.close()
  }
}
