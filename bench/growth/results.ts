import type { Cost } from './measure.ts'

/** What a kind of request cost at each size, the smallest first. */
export interface Line {
  name: string
  about: string
  /** Whether it is held to the bar. */
  bar: boolean
  costs: Cost[]
}

/** What a tree cost, in milliseconds: the route's answer, and the bare recursive query by pg. */
export interface TreeCost {
  contracts: number
  route: Cost
  bare: Cost
}

/** A whole run. */
export interface Run {
  database: string
  lines: Line[]
  tree?: TreeCost
}

/** What a request in the largest company may cost of what it costs in the smallest. */
export const bar = 1.3
/** What a tree may cost of the bare recursive query. */
export const treeBar = 3

/** What the largest size costs, in parts of what the smallest does. */
export function growthOf ({ costs }: Line): number {
  return (costs.at(-1) as Cost).median / (costs[0] as Cost).median
}

/** The run as a table: medians and, behind the stroke, the 99th hundredth, in ms; the ratio of the medians, marked where it is above the bar. */
export function table (run: Run): string {
  const cells = cellsOf(run)
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map(line => line[column]?.length ?? 0))) ?? []
  const text = cells.map(line => line.map((cell, column) => column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)).join('  ')).join('\n')
  return run.tree === undefined ? text : `${text}\n\n${treeLine(run.tree)}`
}

/** The run as lines of cells, of which the first has the titles. */
export function cellsOf ({ lines }: Run): string[][] {
  const sizes = lines[0]?.costs.map(({ size }) => size.toLocaleString('en')) ?? []
  return [
    ['', ...sizes, 'ratio', '', 'requests'],
    ...lines.map(line => [line.name, ...line.costs.map(cost), growthOf(line).toFixed(2), mark(growthOf(line), bar, line.bar), String(line.costs[0]?.requests)])
  ]
}

/** What the tree cost, as a line of text. */
export function treeLine ({ contracts, route, bare }: TreeCost): string {
  const ratio = route.median / bare.median
  return `tree of ${contracts.toLocaleString('en')}: ${cost(route)}, bare recursive query ${cost(bare)}, ratio ${ratio.toFixed(2)}${mark(ratio, treeBar, true)}`
}

const cost = ({ median, p99 }: Cost) => `${short(median)} / ${short(p99)}`
const short = (milliseconds: number) => milliseconds.toFixed(milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0)
/** `!` for what is held to the bar and above it, `*` for what is above it and not held to it. */
const mark = (ratio: number, most: number, held: boolean) => ratio <= most ? ' ' : held ? '!' : '*'
