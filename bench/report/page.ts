import { bar, cellsOf as growthCells, treeBar, treeLine, type Run as GrowthRun } from '../growth/results.ts'
import type { Kept } from '../kept.ts'
import { describeMachine } from '../../src/trial/machine.ts'
import { agreement, cellsOf, doubts, perSecond, yardstickOf, type Run } from '../results.ts'
import { colours, type Plot } from './draw.ts'
import { html, Html } from './html.ts'

/** The last run of each bench, if there is one. */
export interface Results {
  workloads?: Kept<Run>
  peers?: Kept<Run>
  growth?: Kept<GrowthRun>
}

/** The plots of the available results. */
export type Plots = Partial<Record<'throughput' | 'peers' | 'latency' | 'growth', Plot>>

/** The report: a self-contained page. */
export function page ({ workloads, peers, growth }: Results, plots: Plots, at: Date): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Obra: bench report</title>
<style>${new Html(colours + style)}</style>
</head>
<body>
<h1>Obra: bench report</h1>
<p class="faint">Written ${instant(at.toISOString())} from the last run of each bench. Compare ratios, not numbers: the speed of a machine changes within a day.</p>

<section>
<h2>Throughput against the yardstick</h2>
<p>The yardstick is a bare Fastify route in its own process. It serializes the object of the hot list by the same schema, without authentication or database. The second line is a route that sends the same bytes from memory.
A cached page is not serialized again, so it can exceed the yardstick. The band lies between the yardstick’s two runs, before and after the workloads.</p>
${part(plots.throughput, workloads, 'npm run bench', run => [...facts(run), ...loadFacts(run)], run => cellsOf(run), run => doubts(run.rows))}
</section>

<section>
<h2>Throughput against the peers</h2>
<p>The same requests to typical services on the same tables (bench/peers), after a comparison of their answers with Obra’s. Each rate is followed by its ratio to the yardstick of that run.</p>
${part(plots.peers, peers, 'npm run bench:peers', run => [...facts(run), ...loadFacts(run)], run => cellsOf(run), run => doubts(run.rows))}
</section>

<section>
<h2>Latency</h2>
<p>Percentiles of latency for each workload of the run above; the dashed line is the yardstick’s first run. Both axes are logarithmic; answers to the right are rarer and slower.
Each connection sends its next request as soon as it is answered, so most of the time is waiting for the others.</p>
${part(plots.latency, workloads, 'npm run bench', run => facts(run).slice(0, 1), run => percentileCells(run))}
</section>

<section>
<h2>Cost against data size</h2>
<p>One request at a time on one connection, to a server and a database for each size. Dots are medians, followed by the ratio of the largest size to the smallest.
The requests above the gap must stay below a bar of ${bar}; those below it are informative.</p>
${part(plots.growth, growth, 'npm run bench:growth', run => facts(run), run => growthCells(run))}
${growth?.tree === undefined ? undefined : html`<p>Median / p99, ms: ${treeLine(growth.tree).trim()} (bar: ${treeBar}).</p>`}
</section>
</body>
</html>
`.text
}

type Facts = Array<[name: string, value: string | undefined]>

/** A plot with its facts; without such a run, the command that makes one. */
function part<T> (plot: Plot | undefined, run: T | undefined, command: string, factsOf: (run: T) => Facts, cells: (run: T) => string[][], doubts: (run: T) => string[] = () => []): Html {
  if (plot === undefined || run === undefined) return html`<p class="missing">No result yet. Run <code>${command}</code>.</p>`
  return html`${doubts(run).map(doubt => html`<p class="doubt">Do not trust these figures: ${doubt}.</p>`)}
<figure>${new Html(plot.svg)}</figure>
<dl>${factsOf(run).map(([name, value]) => value === undefined ? html`` : html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<details><summary>Figures</summary>${table(cells(run))}</details>`
}

function table ([titles = [], ...lines]: string[][]): Html {
  return html`<div class="wide"><table><thead><tr>${titles.map(title => html`<th>${title}</th>`)}</tr></thead>
<tbody>${lines.map(([name, ...cells]) => html`<tr><th>${name}</th>${cells.map(cell => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`
}

function facts ({ at, command, commit, database, ...machine }: Kept<{ database: string }>): Facts {
  return [
    ['Run', `${instant(at)}, ${command}`],
    ['Commit', commit ?? 'outside a repository'],
    ['Machine', describeMachine(machine)],
    ['Database', database]
  ]
}

function loadFacts ({ duration, rows }: Run): Facts {
  const [before, after] = rows.filter(row => row.yardstick === 'serialized')
  const apart = before === undefined || after === undefined ? undefined : Math.abs(before.rate / yardstickOf(rows) - 1) * 100
  return [
    ['Load', `${duration} s each after a warm-up, ${connectionsOf(rows)}`],
    ['Noise', before === undefined || after === undefined || apart === undefined
      ? undefined
      : `yardstick ${perSecond(before)} before, ${perSecond(after)} after: ${apart.toFixed(1)} % from their mean (trusted up to ${agreement * 100} %)`]
  ]
}

/** The connections of the first row, and those of the rows that differ. */
function connectionsOf (rows: Run['rows']): string {
  const usual = rows[0]?.connections
  const others = rows.filter(({ connections }) => connections !== usual).map(({ name, connections }) => `${name} ${connections}`)
  return `${usual} connections${others.length === 0 ? '' : ` (${others.join(', ')})`}`
}

function percentileCells ({ rows }: Run): string[][] {
  const percents = [...new Set(rows.flatMap(({ percentiles }) => percentiles.map(([percent]) => percent)))].sort((a, b) => a - b)
  return [
    ['ms', ...percents.map(percent => `p${percent}`)],
    ...rows.map(({ name, percentiles }) => [name, ...percents.map(percent => new Map(percentiles).get(percent)?.toFixed(2) ?? '')])
  ]
}

const instant = (at: string) => `${at.slice(0, 16).replace('T', ' ')} UTC`

const style = `
body { margin: 0 auto; padding: 2rem 1.5rem 4rem; max-width: 1120px; background: var(--paper); color: var(--text); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif }
h1 { margin: 0; font-size: 1.8rem }
h2 { margin: 3rem 0 .5rem; font-size: 1.25rem }
p { margin: .5rem 0; max-width: 80ch }
.faint, dt { color: var(--faint) }
.doubt { color: var(--warn); font-weight: 600 }
.missing { padding: 1rem; background: var(--band); border-radius: 6px }
figure { margin: 1.25rem 0; overflow-x: auto }
svg { display: block; min-width: 44rem; max-width: 100%; height: auto }
dl { margin: 0; font-size: .85rem }
dl div { display: flex; gap: .75rem }
dt { flex: 0 0 5.5rem }
dd { margin: 0; overflow-wrap: anywhere }
details { margin-top: .75rem; font-size: .85rem }
summary { cursor: pointer; color: var(--main) }
.wide { overflow-x: auto }
table { border-collapse: collapse; margin-top: .5rem; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .7rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); font-weight: normal }
th:first-child { padding-left: 0; text-align: left }
thead th { color: var(--faint) }
code { font: .9em ui-monospace, monospace }
@page { size: A4; margin: 14mm }
@media print {
  body { padding: 0; font-size: 10pt }
  section { break-inside: avoid }
  h2 { margin-top: 1.5rem }
  details { display: none }
}
`
