/** What a backup begins with. */
export interface Head {
  obra: 'backup'
  /** Of the file's form: 1 has no {@link Seal}. */
  format: 1 | 2
  /** Of Obra. */
  version: string
  created_at: string
  /** Names of the migrations that had run: they make the tables. */
  migrations: string[]
  /** Rows of all tables. */
  rows: number
}

/** What stands before the rows of a table, each of which is a line of its own: a JSON object that never becomes a JavaScript one, so that amounts stay exact. */
export interface TableHead {
  table: string
  columns: string[]
  rows: number
}

/** What stands after all rows; a backup that has no such line is not whole. */
export interface Foot {
  /** The last number that each sequence has given out. */
  sequences: Record<string, number>
}

/** What a backup ends with. */
export interface Seal {
  /** Of all lines before, in hexadecimal digits. */
  sha256: string
}

/** An identifier in SQL. */
export function quoted (name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Characters of a line at most: far more than an answer under an Idempotency-Key has, which is the longest that is written. */
const longestLine = 256 * 2 ** 20

/**
 * Pieces of a file as its lines. Node's own reader would also end a line at U+2028, which JSON strings hold as it is.
 * @throws {RangeError} for a line that no backup has
 */
export async function * linesOf (pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() as string
    if (rest.length > longestLine) throw new RangeError('a line is too long')
    yield * lines
  }
}
