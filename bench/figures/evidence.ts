import { percentile } from '../../test/support/trial/percentile.ts'
import { valuesOf, type Run } from './run.ts'
import { cell, markdown } from './table.ts'

/** The section of each bench in bench/RESULTS.md: its runs, and all their figures. */
export function evidence (runs: Run[]): string {
  const benches = [...new Set(runs.map(({ bench }) => bench))]
  const runsOf = (bench: string) => runs.filter(run => run.bench === bench).map(described).join('\n')
  return benches.map(bench => `### ${bench}\n\n${runsOf(bench)}\n\n${figures(runs, bench)}`).join('\n\n')
}

function described ({ date, commit, command, machine, database, note }: Run): string {
  const at = commit === undefined ? '' : ` at ${commit}`
  return `- \`${command}\` on ${date}${at}. ${[machine, database, ...note === undefined ? [] : [note]].join('. ')}.`
}

/** All figures of a bench: the median, and the range if there are several runs. */
function figures (runs: Run[], bench: string): string {
  const values = valuesOf(runs, bench)
  const units = [...new Set([...values.values()].flatMap(ours => [...ours.keys()]))]
  const text = (all: number[] | undefined, unit: string) => {
    if (all === undefined) return ''
    const range = all.length > 1 ? ` (${cell(Math.min(...all), unit)}–${cell(Math.max(...all), unit)})` : ''
    return cell(percentile(all, 0.5), unit) + range
  }
  return markdown(['', ...units], [...values].map(([name, ours]) => [name, ...units.map(unit => text(ours.get(unit), unit))]))
}
