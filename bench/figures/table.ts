import { short } from '../report.ts'
import { middle, type Values } from './run.ts'

/** A column: its unit, and its heading if the heading is another one. */
export type Column = string | [unit: string, heading: string]

/** A row: its first cell, and the name of its figures. */
export type LabelledRow = [label: string, name: string]

/** A Markdown table of medians. It leaves out rows and columns that have no figure, and is empty without any. */
export function table (values: Values, rows: LabelledRow[], columns: Column[]): string {
  const pairs = columns.map(column => typeof column === 'string' ? [column, column] as const : column)
  const has = (name: string, unit: string) => middle(values, name, unit) !== undefined
  const shown = pairs.filter(([unit]) => rows.some(([, name]) => has(name, unit)))
  if (shown.length === 0) return ''
  const known = rows.filter(([, name]) => shown.some(([unit]) => has(name, unit)))
  const cells = known.map(([label, name]) => [label, ...shown.map(([unit]) => cell(middle(values, name, unit), unit))])
  return markdown(['', ...shown.map(([, heading]) => heading)], cells)
}

/** A Markdown table with all figures of a row in one cell, for figures of many units. It is empty without figures. */
export function list (values: Values, rows: LabelledRow[], units: string[]): string {
  const text = (name: string, unit: string) => {
    const [, part, measure = unit] = /^(median|p99|max) (.+)$/.exec(unit) ?? []
    const number = cell(middle(values, name, unit), unit)
    return measure === 'ratio' ? number : [part, number, measure].filter(Boolean).join(' ')
  }
  const texts = (name: string) => units.filter(unit => values.get(name)?.has(unit)).map(unit => text(name, unit))
  const known = rows.map(([label, name]) => [label, texts(name).join(', ')]).filter(([, cell]) => cell !== '')
  return known.length === 0 ? '' : markdown(['', ''], known)
}

/** A Markdown table; all columns but the first are aligned to the right. */
export function markdown (head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `|${cells.map(text => text === '' ? ' ' : ` ${text} `).join('|')}|`
  return [line(head), `|---|${'--:|'.repeat(head.length - 1)}`, ...rows.map(line)].join('\n')
}

/** A figure as the text of a cell. Ratios have at least two digits. */
export function cell (value: number | undefined, unit: string): string {
  if (value === undefined) return ''
  return unit.startsWith('ratio') && value >= 0.1 ? value.toFixed(2) : short(value)
}
