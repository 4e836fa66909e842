import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocks } from './figures/blocks.ts'
import { evidence } from './figures/evidence.ts'
import { readRuns, runsFile, valuesOf, type Run } from './figures/run.ts'

const help = `node bench/figures.ts [FILE…]

Writes the figures of bench/figures.json into README.md, the pages of docs/ and bench/RESULTS.md, between <!-- figures: NAME --> and
<!-- /figures -->. Each FILE is a run that a bench has written to bench/results/. The runs of these files first replace all those of the
same benches in bench/figures.json, so give all new runs of a bench at once. A run with --only is refused: it has not all figures of its
bench. The pages show the median of several runs.
`

const root = join(import.meta.dirname, '..')

/** The pages with figures, as they are, and as they should be. */
export function pagesWithFigures (runs: Run[]): Array<{ name: string, text: string, written: string }> {
  return globSync(['README.md', 'docs/**/*.md', 'bench/RESULTS.md'], { cwd: root }).map((name) => {
    const text = readFileSync(join(root, name), 'utf8')
    return { name, text, written: withFigures(text, runs) }
  }).filter(({ text }) => text.includes('<!-- figures: '))
}

/** Runs with added ones in place of those of the same benches. @throws {Error} for an added run of some parts of a bench only */
export function withRuns (runs: Run[], added: Run[]): Run[] {
  const partial = added.find(({ command }) => /\s--only\b/.test(command))
  if (partial !== undefined) throw new Error(`the run has not all figures of ${partial.bench}: ${partial.command}`)
  const kept = runs.filter(({ bench }) => !added.some(run => run.bench === bench))
  return [...kept, ...added].toSorted((one, other) => one.bench.localeCompare(other.bench))
}

/** A page with figures between its markers. @throws {Error} if a marker has an unknown name */
function withFigures (text: string, runs: Run[]): string {
  return text.replaceAll(/(<!-- figures: (.+?) -->\n).*?(<!-- \/figures -->)/gs, (_, start: string, name: string, end: string) => {
    const block = name === 'evidence' ? () => evidence(runs) : blocks[name]
    if (block === undefined) throw new Error(`no figures are named ${name}`)
    const figures = block(bench => valuesOf(runs, bench))
    return figures === '' ? start + end : `${start}\n${figures}\n\n${end}`
  })
}

if (import.meta.main) {
  const files = process.argv.slice(2)
  if (files.some(file => file.startsWith('-'))) process.stdout.write(help)
  else {
    const runs = withRuns(readRuns(), files.map(file => JSON.parse(readFileSync(file, 'utf8')) as Run))
    // Nothing is written if a page lacks a figure.
    const pages = pagesWithFigures(runs)
    writeFileSync(runsFile, `${JSON.stringify(runs, null, 2)}\n`)
    for (const { name, written } of pages) writeFileSync(join(root, name), written)
  }
}
