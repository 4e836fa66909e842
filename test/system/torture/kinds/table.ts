import { stripVTControlCharacters } from 'node:util'

/** A line of the table. */
export interface Row {
  /** What was done, and on which database where there are two. */
  what: string
  /** How often. */
  times: number
  /** What came of it: figures with their units, the most telling first. */
  came: string
  /** What was lost, or found, a line each: nothing, when all is well. */
  bad: string[]
}

/** A line of the table for what could not be done here. */
export interface NotRun {
  what: string
  /** What is missing. */
  why: string
}

/** Adds a line to the table. */
export type Tell = (row: Row | NotRun) => void

const columns = [
  { title: 'what was done', width: 46 },
  { title: 'times', width: 7, right: true },
  { title: 'what came of it', width: 88 },
  { title: 'lost, found', width: 11 }
]

/** Lines of what was lost or found that are shown of each row, and how much of each. */
const shown = { lines: 10, characters: 2000 }

/** A table that is printed row by row, as Markdown has it and wide enough to be read on a terminal; it counts what went wrong. */
export class Table {
  readonly #print: (text: string) => void
  readonly #bad: Row[] = []
  #done = 0
  #notRun = 0

  constructor (print: (text: string) => void) {
    this.#print = print
  }

  /** Prints the titles. */
  begin (): void {
    this.#line(columns.map(({ title }) => title))
    this.#print(`|${columns.map(({ width, right }) => `${'-'.repeat(width + 1)}${right === true ? ':' : '-'}`).join('|')}|\n`)
  }

  /** Prints a row. */
  readonly tell: Tell = (row) => {
    if ('why' in row) {
      this.#notRun++
      this.#line([row.what, '–', `not run: ${row.why}`, ''])
      return
    }
    this.#done++
    if (row.bad.length > 0) this.#bad.push(row)
    this.#line([row.what, row.times.toLocaleString('en'), row.came, row.bad.length === 0 ? 'nothing' : row.bad.length.toLocaleString('en')])
  }

  /** Prints what was lost or found, and a last line that sums up. @returns whether all went well */
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
      const cell = plain(cells[index] as string).replaceAll('|', '\\|')
      return right === true ? cell.padStart(width) : cell.padEnd(width)
    }).join(' | ')} |\n`)
  }
}

/** On one line, without what moves a terminal's cursor. */
function plain (text: string): string {
  return stripVTControlCharacters(text).replaceAll(/\s+/g, ' ')
}

/** A number as tables have it. */
export function count (value: number): string {
  return Math.round(value).toLocaleString('en')
}
