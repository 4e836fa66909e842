/** The first line of a backup. */
export interface Head {
  obra: 'backup'
  /** Version of the file format. */
  format: 2
  /** Version of Obra. */
  version: string
  created_at: string
  /** Names of the migrations that had run. */
  migrations: string[]
  /** Number of rows of all tables. */
  rows: number
}

/** The line before the rows of a table. Each row is a line of JSON, which is never parsed in JavaScript, so amounts stay exact. */
export interface TableHead {
  table: string
  columns: string[]
  rows: number
}

/** The line after all rows. A backup without it is incomplete. */
export interface Foot {
  /** Last value of each sequence. */
  sequences: Record<string, number>
}

/** The last line of a backup. */
export interface Seal {
  /** SHA-256 of all lines before it, in hexadecimal digits. */
  sha256: string
}

/** Quotes an identifier for SQL. */
export function quoted (name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Maximum characters of a line. The longest values, stored answers of an `Idempotency-Key`, are far shorter. */
const longestLine = 256 * 2 ** 20

/**
 * Splits the chunks of a file into lines. Node's readline also splits at U+2028, which JSON strings can contain.
 * @throws {RangeError} for a line that is too long
 */
export async function * linesOf (pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestLine) throw new RangeError('a line is too long')
    yield * lines
  }
}
