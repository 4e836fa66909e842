import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { environment } from '../machine.ts'
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
const bar = 1.3
/** What a tree may cost of the bare recursive query. */
const treeBar = 3

/** What the largest size costs, in parts of what the smallest does. */
export function growthOf ({ costs }: Line): number {
  return (costs.at(-1) as Cost).median / (costs[0] as Cost).median
}

/** The run as a table: medians and, behind the stroke, the 99th hundredth, in ms; the ratio of the medians, marked where it is above the bar. */
export function table ({ lines, tree }: Run): string {
  const sizes = lines[0]?.costs.map(({ size }) => size.toLocaleString('en')) ?? []
  const cells = [
    ['', ...sizes, 'ratio', '', 'requests'],
    ...lines.map(line => [line.name, ...line.costs.map(cost), growthOf(line).toFixed(2), mark(growthOf(line), bar, line.bar), String(line.costs[0]?.requests)])
  ]
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map(line => line[column]?.length ?? 0))) ?? []
  const text = cells.map(line => line.map((cell, column) => column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)).join('  ')).join('\n')
  if (tree === undefined) return text
  const ratio = tree.route.median / tree.bare.median
  return `${text}\n\ntree of ${tree.contracts.toLocaleString('en')}: ${cost(tree.route)}, bare recursive query ${cost(tree.bare)}, ratio ${ratio.toFixed(2)}${mark(ratio, treeBar, true)}`
}

const cost = ({ median, p99 }: Cost) => `${short(median)} / ${short(p99)}`
const short = (milliseconds: number) => milliseconds.toFixed(milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0)
/** `!` for what is held to the bar and above it, `*` for what is above it and not held to it. */
const mark = (ratio: number, most: number, held: boolean) => ratio <= most ? ' ' : held ? '!' : '*'

/** Writes the run as JSON into `bench/results/`. @returns the file's path */
export function write (run: Run, at = new Date()): string {
  const folder = join(import.meta.dirname, '..', 'results')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `growth-${at.toISOString().slice(0, 19).replaceAll(':', '-')}.json`)
  const lines = run.lines.map(line => ({ ...line, ratio: growthOf(line) }))
  const tree = run.tree === undefined ? undefined : { ...run.tree, ratio: run.tree.route.median / run.tree.bare.median }
  writeFileSync(file, `${JSON.stringify({ at, ...environment(), database: run.database, bar, treeBar, lines, tree }, null, 2)}\n`)
  return relative(process.cwd(), file)
}
