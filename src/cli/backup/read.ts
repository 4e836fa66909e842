import { createHash } from 'node:crypto'
import { entities } from '../../domain/entities/index.ts'
import { migrations as known } from '../../database/migrations/index.ts'
import { isReplaced, olderMessage } from '../../database/migrations/older.ts'
import { isLoad } from '../../database/schema/declared.ts'
import type { Foot, Head, Seal, TableHead } from './format.ts'

/** The backup file is invalid, or the database is not empty. */
export class RestoreError extends Error {}

/** A part of a backup: up to 1,000 rows of a table as JSON lines, or the end of the file. */
type BackupPart = { table: TableHead, rows: string[] } | { foot: Foot, sha256: string }

const rowsAtOnce = 1000
const charactersAtOnce = 8 * 2 ** 20
const tableNames = new Set(entities.map(({ meta }) => meta.tableName))
const damaged = () => new RestoreError('the backup is damaged')

/** A backup that is being read: its head, then its parts. */
interface Reading {
  head: Head
  parts: AsyncGenerator<BackupPart>
}

/**
 * Reads a backup and checks its structure: tables of entities, each once, with the stated number of rows, and the checksum. It does not
 * check the contents of rows. Rows are unverified until the part with `foot`.
 * @throws {RestoreError} also while you iterate over the parts
 */
export async function readBackup (lines: AsyncIterable<string>): Promise<Reading> {
  const iterator = lines[Symbol.asyncIterator]()
  const hash = createHash('sha256')
  async function nextLine (): Promise<string> {
    const { value, done } = await iterator.next()
    if (done === true) throw new RestoreError('the backup is incomplete: its end is missing')
    return value
  }
  async function nextHashed (): Promise<string> {
    const line = await nextLine()
    hash.update(line).update('\n')
    return line
  }

  async function * parts (): AsyncGenerator<BackupPart> {
    const seen = new Set<string>()
    let total = 0
    while (true) {
      const next = parsed(await nextHashed())
      if (isFoot(next)) {
        const sha256 = hash.digest('hex')
        const seal: Partial<Record<keyof Seal, unknown>> = Object(parsed(await nextLine()))
        if (seal.sha256 !== sha256) throw new RestoreError('the backup is damaged: its checksum does not match')
        if (total !== head.rows || (await iterator.next()).done !== true) throw damaged()
        yield { foot: next, sha256 }
        return
      }
      if (!isTableHead(next) || !tableNames.has(next.table) || seen.has(next.table)) throw damaged()
      seen.add(next.table)
      total += next.rows
      for (let left = next.rows; left > 0;) {
        const rows: string[] = []
        for (let characters = 0; rows.length < Math.min(left, rowsAtOnce) && characters < charactersAtOnce;) {
          const row = await nextHashed()
          characters += row.length
          rows.push(row)
        }
        left -= rows.length
        yield { table: next, rows }
      }
    }
  }

  const head = headOf(await nextHashed())
  return { head, parts: parts() }
}

/**
 * Checks a whole backup before the restore writes, including the fields of each row.
 * @returns its head and checksum @throws {RestoreError}
 */
export async function checkBackup (lines: AsyncIterable<string>): Promise<{ head: Head, sha256: string }> {
  const { head, parts } = await readBackup(lines)
  for await (const part of parts) {
    if ('foot' in part) return { head, sha256: part.sha256 }
    const columns = new Set(part.table.columns)
    if (!part.rows.every(line => isRow(parsed(line), columns))) throw damaged()
  }
  throw damaged()
}

function headOf (line: string): Head {
  const head = parsed(line) as Head | undefined // the checks of its parts follow
  if (head?.obra !== 'backup') throw new RestoreError('the file is not an Obra backup')
  // An earlier release also wrote the loads of functions.
  const run = Array.isArray(head.migrations) ? head.migrations.filter(name => typeof name !== 'string' || !isLoad(name)) : undefined
  const older = olderMessage('the backup', run ?? [], 'restore it')
  if (older !== undefined) throw new RestoreError(older)
  const isKnown = head.format === 2 && run?.filter(name => !isReplaced(name)).every((name, index) => known[index]?.name === name) === true
  if (!isKnown) throw new RestoreError(`the backup was made by a newer Obra (${head.version}): restore it with that version`)
  if (run === undefined || run.length === 0 || !isCount(head.rows)) throw damaged()
  return { ...head, migrations: run }
}

function isTableHead (value: unknown): value is TableHead {
  const { table, columns, rows }: Partial<Record<keyof TableHead, unknown>> = Object(value)
  if (typeof table !== 'string' || !isCount(rows) || !Array.isArray(columns)) return false
  return columns.every(column => typeof column === 'string') && new Set(columns).size === columns.length
}

function isFoot (value: unknown): value is Foot {
  const { sequences }: Partial<Record<keyof Foot, unknown>> = Object(value)
  return typeof sequences === 'object' && sequences !== null && Object.values(sequences).every(last => isCount(last) && last > 0)
}

function isCount (value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isRow (value: unknown, columns: Set<string>): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).every(column => columns.has(column))
}

function parsed (line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
