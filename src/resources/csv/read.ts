import type { CsvError, Options, Parser } from 'csv-parse'
import { limits } from '../../config/limits.ts'
import { httpError, nonFieldErrors, refuse, ValidationError, type Problem, mostMessages } from '../../http/errors.ts'
import type { Pause } from '../../http/slices.ts'
import type { InputColumn } from './fields.ts'

/** A record of a CSV text. `row` is its number in a spreadsheet, from 1. */
interface Line {
  record: string[]
  row: number
}

/** How rows become items. */
interface Reading {
  /** More rows are refused. */
  maxItems: number
  /** Whether an empty cell clears its field. Otherwise, the item omits the field. */
  clears: boolean
}

/** Bytes that are parsed between two pauses. */
const chunkBytes = 16 * 1024

/** Most commas of a body. Each can be an empty cell, which takes more memory than its byte. */
const maxCommas = 1_000_000

const format: Options = {
  bom: true,
  info: true,
  record_delimiter: ['\r\n', '\n'],
  // Problems of cells name their row.
  relax_column_count: true,
  skip_empty_lines: true,
  max_record_size: limits.bodies.record
}

/**
 * Reads the rows of a CSV text (RFC 4180) as items. The first row names fields.
 * @throws {ValidationError} for a text that is not CSV, or unknown columns; {@link HttpError} 413 for too many cells
 */
export async function readCsv (
  text: string, columns: ReadonlyMap<string, InputColumn>, { maxItems, clears }: Reading, pause: Pause
): Promise<object[]> {
  const lines = await parsed(text, maxItems + 1, pause)
  const header = lines.shift()
  if (header === undefined || lines.length === 0) throw new ValidationError([{ field: nonFieldErrors, key: 'csvEmpty' }])
  if (lines.length > maxItems) throw new ValidationError([{ field: 'items', key: 'maxItems', values: { max_length: maxItems } }])
  const used = usedColumns(header, columns)

  const problems: Problem[] = []
  const items: object[] = []
  for (const { record: cells, row } of lines) {
    const record = withoutEmptyEnd(cells, used.length)
    if (record.length !== used.length) {
      problems.push({ field: `items.${items.length}`, key: 'csvCells', values: { row, cells: record.length, columns: used.length } })
    }
    if (problems.length > mostMessages) break
    items.push(itemOf(record, used, clears))
    await pause()
  }
  refuse(problems)
  return items
}

/** Spreadsheets write empty cells after the last column. @param length cells that are kept, empty or not */
function withoutEmptyEnd (record: string[], length = 0): string[] {
  let end = record.length
  while (end > length && isBlank(record[end - 1])) end--
  return record.slice(0, end)
}

function isBlank (cell: string): boolean {
  return cell.trim() === ''
}

/** The fields of a row. */
function itemOf (record: readonly string[], columns: readonly InputColumn[], clears: boolean): object {
  return Object.fromEntries(columns.flatMap(({ field, read, cleared }, index) => {
    const cell = record[index]
    if (cell !== undefined && cell !== '') return [[field, read(cell)]]
    return cell === '' && clears ? [[field, cleared]] : []
  }))
}

/** The columns that a header names, in its order. @throws {ValidationError} for unknown and repeated ones */
function usedColumns ({ record, row }: Line, columns: ReadonlyMap<string, InputColumn>): InputColumn[] {
  const problems: Problem[] = []
  const used: InputColumn[] = []
  const fields = new Set<string>()
  for (const [index, cell] of withoutEmptyEnd(record).entries()) {
    const name = cell.trim()
    const column = columns.get(name)
    if (name === '') problems.push({ field: nonFieldErrors, key: 'csvUnnamed', values: { row, column: index + 1 } })
    else if (column === undefined) problems.push({ field: name, key: 'unknownField' })
    else if (fields.has(column.field)) problems.push({ field: name, key: 'csvRepeated' })
    else used.push(column)
    if (column !== undefined) fields.add(column.field)
    if (problems.length > mostMessages) break
  }
  refuse(problems)
  return used
}

/** The lines of a text, parsed in slices, up to a few more than `most`. */
async function parsed (text: string, most: number, pause: Pause): Promise<Line[]> {
  // Loaded on the first use.
  const { parse } = await import('csv-parse')
  const lines: Line[] = []
  const parser = parse(format)
  const failures: CsvError[] = []
  parser.on('error', (error: CsvError) => failures.push(error))
  parser.on('data', ({ record, info }: { record: string[], info: { records: number, empty_lines: number } }) => {
    // Spreadsheets write rows of empty cells too.
    if (!record.every(isBlank)) lines.push({ record, row: info.records + info.empty_lines })
  })
  const bytes = Buffer.from(text)
  let commas = 0
  for (let start = 0; start < bytes.length && failures.length === 0 && lines.length <= most; start += chunkBytes) {
    const chunk = bytes.subarray(start, start + chunkBytes)
    for (const byte of chunk) if (byte === 0x2c) commas++
    if (commas > maxCommas) throw httpError(413, { key: 'tooManyValues', values: { count: maxCommas } })
    await written(parser, chunk)
    await pause()
  }
  if (failures.length === 0 && lines.length <= most) await ended(parser)
  const [failure] = failures
  if (failure !== undefined) throw malformed(failure)
  return lines
}

async function written (parser: Parser, chunk: Buffer): Promise<void> {
  await new Promise<void>(resolve => parser.write(chunk, () => resolve()))
}

async function ended (parser: Parser): Promise<void> {
  await new Promise<void>((resolve) => {
    parser.once('close', resolve)
    parser.end()
  })
}

/** The 400 for a text that is not CSV. The library counts the records before the error. */
function malformed (error: CsvError): ValidationError {
  const row = Number(error['records'] ?? 0) + Number(error['empty_lines'] ?? 0) + 1
  const key = error.code === 'CSV_MAX_RECORD_SIZE' ? 'csvRowTooLong' : 'csvQuotes'
  return new ValidationError([{ field: nonFieldErrors, key, values: { row } }])
}
