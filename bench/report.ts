import { percentile } from '../src/trial/percentile.ts'

/** Prints a figure. */
export function report (what: string, value: string): void {
  process.stdout.write(`${what.padEnd(44)}${value}\n`)
}

/** The median. */
export function median (numbers: number[]): number {
  return percentile(numbers, 0.5)
}

/** Median, 99th percentile and maximum of times in ms. @param places decimal places */
export function quantiles (times: number[], places = 0): string {
  const place = (part: number) => `${percentile(times, part).toFixed(places)} ms`
  return `half ${place(0.5)}, 99 % ${place(0.99)}, all ${place(1)}`
}

/** Rows of cells as a text table. Its first column is aligned to the left, the others to the right. */
export function aligned (rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0))) ?? []
  const align = (cell: string, column: number) => column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map(row => row.map(align).join('  ')).join('\n')
}
