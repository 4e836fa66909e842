import type { Figures } from '../figures/run.ts'
import { aligned } from '../report.ts'
import type { Cost } from './measure.ts'

/** Costs of a kind of request, by ascending size. */
export interface Line {
  name: string
  about: string
  /** Whether its growth must stay below the bar. */
  bar: boolean
  costs: Cost[]
}

/** Cost of a tree in ms: the route, and the bare recursive query with pg. */
export interface TreeCost {
  contracts: number
  route: Cost
  bare: Cost
}

/** Results of a run. */
export interface Growth {
  database: string
  lines: Line[]
  /** Limit of the cost in the largest company, as a multiple of that in the smallest. */
  maxGrowth: number
  tree?: TreeCost
}

/** Limit of the cost of a tree, as a multiple of the bare recursive query. */
export const treeBar = 3

/** Cost at the largest size divided by the cost at the smallest. */
function growthOf ({ costs }: Line): number {
  return (costs.at(-1) as Cost).median / costs[0].median
}

/** The run as a text table: median / p99 in ms, and the ratio of the medians, marked if it is above the bar. */
export function table (run: Growth): string {
  const text = aligned(cellsOf(run))
  return run.tree === undefined ? text : `${text}\n\n${treeLine(run.tree)}`
}

/** Medians by size, and the ratio of the largest size to the smallest. */
export function figuresOf ({ lines, tree }: Growth): Figures {
  const sized = lines.map(line => [line.name, {
    ...Object.fromEntries(line.costs.map(({ size, median }) => [`ms at ${size.toLocaleString('en')}`, median])), ratio: growthOf(line)
  }])
  if (tree === undefined) return Object.fromEntries(sized)
  return { ...Object.fromEntries(sized), 'tree, to the bare recursive query': { ratio: tree.route.median / tree.bare.median } }
}

/** The run as rows of cells; the first row is the header. */
function cellsOf ({ lines, maxGrowth }: Growth): string[][] {
  const sizes = lines[0]?.costs.map(({ size }) => size.toLocaleString('en')) ?? []
  return [
    ['', ...sizes, 'ratio', '', 'requests'],
    ...lines.map((line) => {
      const growth = growthOf(line)
      return [line.name, ...line.costs.map(cost), growth.toFixed(2), mark(growth, maxGrowth, line.bar), String(line.costs[0]?.requests)]
    })
  ]
}

/** The cost of the tree as a line of text. */
function treeLine ({ contracts, route, bare }: TreeCost): string {
  const ratio = route.median / bare.median
  const compared = `ratio ${ratio.toFixed(2)}${mark(ratio, treeBar, true)}`
  return `tree of ${contracts.toLocaleString('en')}: ${cost(route)}, bare recursive query ${cost(bare)}, ${compared}`
}

const cost = ({ median, p99 }: Cost) => `${short(median)} / ${short(p99)}`
const short = (milliseconds: number) => milliseconds.toFixed(milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0)
/** `!` marks a ratio above a limit that applies, `*` one above a limit that does not. */
const mark = (ratio: number, maxGrowth: number, held: boolean) => ratio <= maxGrowth ? ' ' : held ? '!' : '*'
