/** What a backup begins with. */
export interface Head {
  obra: 'backup'
  /** Of the file's form. */
  format: 1
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

/** What a backup ends with; one that has no such line is not whole. */
export interface Foot {
  /** The last number that each sequence has given out. */
  sequences: Record<string, number>
}

/** An identifier in SQL. */
export function quoted (name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Pieces of a file as its lines. Node's own reader would also end a line at U+2028, which JSON strings hold as it is. */
export async function * linesOf (pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() as string
    yield * lines
  }
}
