import { stripVTControlCharacters } from 'node:util'

/** A row of the table. */
export interface Row {
  /** What was done, and on which database if there are two. */
  what: string
  /** How often. */
  times: number
  /** The result: figures with units, the most important first. */
  result: string
  /** Losses and findings, one line each; empty if all is well. */
  bad: string[]
}

/** A row for a kind that could not run here. */
export interface NotRun {
  what: string
  /** The reason. */
  why: string
}

/** Adds a row to the table. */
export type AddRow = (row: Row | NotRun) => void

const columns = [
  { title: 'what was done', width: 46 },
  { title: 'times', width: 7, right: true },
  { title: 'result', width: 88 },
  { title: 'lost, found', width: 11 }
]

/** Limits of the printed losses and findings: lines of a row, characters of a line. */
const shown = { lines: 10, characters: 2000 }

/** A Markdown table, printed row by row, that counts losses and findings. */
export class Table {
  readonly #print: (text: string) => void
  readonly #bad: Row[] = []
  #done = 0
  #notRun = 0

  constructor (print: (text: string) => void) {
    this.#print = print
  }

  /** Prints the header. */
  begin (): void {
    this.#line(columns.map(({ title }) => title))
    this.#print(`|${columns.map(({ width, right }) => `${'-'.repeat(width + 1)}${right === true ? ':' : '-'}`).join('|')}|\n`)
  }

  /** Prints a row. */
  readonly addRow: AddRow = (row) => {
    if ('why' in row) {
      this.#notRun++
      this.#line([row.what, '–', `not run: ${row.why}`, ''])
      return
    }
    this.#done++
    if (row.bad.length > 0) this.#bad.push(row)
    this.#line([row.what, row.times.toLocaleString('en'), row.result, row.bad.length === 0 ? 'nothing' : row.bad.length.toLocaleString('en')])
  }

  /** Prints the losses and findings and a summary. @returns whether all is well */
  end (kinds: string[], seconds: number): boolean {
    this.#print('\n')
    for (const { what, bad } of this.#bad) {
      this.#print(`${what}:\n${bad.slice(0, shown.lines).map(line => `    ${plain(line).slice(0, shown.characters)}\n`).join('')}`)
      if (bad.length > shown.lines) this.#print(`    and ${bad.length - shown.lines} more\n`)
    }
    const bad = this.#bad.reduce((sum, row) => sum + row.bad.length, 0)
    const done = this.#done
    const outcome = done === 0 ? 'nothing was run' : bad === 0 ? 'nothing was lost, nothing found' : `${bad} lost or found, in ${this.#bad.length} of the rows`
    const notRun = this.#notRun === 0 ? '' : `, ${this.#notRun} not run`
    this.#print(`${kinds.join(', ')}: ${done} done${notRun}, in ${(seconds / 60).toFixed(1)} minutes: ${outcome}\n`)
    return bad === 0 && done > 0
  }

  #line (cells: string[]): void {
    this.#print(`| ${columns.map(({ width, right }, index) => {
      const cell = plain(cells[index]).replaceAll('|', '\\|')
      return right === true ? cell.padStart(width) : cell.padEnd(width)
    }).join(' | ')} |\n`)
  }
}

/** The text on one line, without control characters for terminals. */
function plain (text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\s+/g, ' ')
}

/** Formats a number with thousands separators. */
export function count (value: number): string {
  return Math.round(value).toLocaleString('en')
}
