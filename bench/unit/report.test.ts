import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { writeReport } from '../report/write.ts'
import { growth, peers, workloads } from './results.ts'

/** Writes a report from these results. @returns the page, and the plots by name */
function report (results: Record<string, object>): { page: string, plots: Record<string, string> } {
  const folder = mkdtempSync(join(tmpdir(), 'obra-report-'))
  try {
    for (const [name, result] of Object.entries(results)) writeFileSync(join(folder, `${name}.json`), JSON.stringify(result))
    writeReport(folder, folder, new Date('2026-03-05T12:00:00Z'))
    const plots = readdirSync(join(folder, 'plots')).map(file => [file, readFileSync(join(folder, 'plots', file), 'utf8')])
    return { page: readFileSync(join(folder, 'report.html'), 'utf8'), plots: Object.fromEntries(plots) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The texts of a plot. @throws {Error} if it is not well-formed */
function textsOf (svg: string): string[] {
  const open: string[] = []
  const texts: string[] = []
  const rest = svg.replace(/<!\[CDATA\[[\s\S]*?\]\]>/g, '').replace(/<(\/?)([a-z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>([^<]*)/gi, (_, end, name, _attributes, empty, text) => {
    if (end === '/') {
      if (open.pop() !== name) throw new Error(`</${name}> ends another element`)
    } else if (empty !== '/') open.push(name)
    if (name === 'text' && end === '') texts.push(text)
    return ''
  })
  if (rest.trim() !== '' || open.length > 0) throw new Error(`not well-formed: ${rest.slice(0, 200)} ${open.join()}`)
  return texts
}

const whole = report({
  'workloads-2026-03-01T10-00-00': { ...workloads, database: 'an older run' },
  'workloads-2026-03-02T10-00-00': workloads,
  'peers-2026-03-03T10-00-00': peers,
  'growth-2026-03-04T10-00-00': growth
})

t.test('each plot is well-formed and shows the name and the values of each series', async (t) => {
  t.strictSame(Object.keys(whole.plots).sort(), ['growth.svg', 'latency.svg', 'peers.svg', 'throughput.svg'])
  const expected = {
    throughput: ['lists', 'every user reads pages &lt;1&gt; to 5', '0.50', '5,000 requests/s', 'bulk', '0.0100', '100 records/s', 'yardstick: 10,000 requests/s', 'bytes: 20,000'],
    peers: ['lists', 'create', 'obra', 'hono-drizzle', '5,000', '0.50', '400', '0.0400', '900', '0.0900', '80', '0.0080', 'requests/s (log scale)'],
    latency: ['lists', 'p2.5 1.0 ms … p99.9 250 ms', '4.0', '60.0', 'bulk', 'p2.5 300 ms … p50 400 ms', '400', 'yardstick', 'ms (log scale)', 'p99.9'],
    growth: ['the first page of the list', '× 1.10', 'ordering=-monto', '× 120', '1,000 contracts', '1,000,000 contracts', 'median of a request, ms (log scale)']
  }
  for (const [name, texts] of Object.entries(expected)) {
    const found = textsOf(whole.plots[`${name}.svg`] as string)
    for (const text of texts) t.ok(found.includes(text), `${name} shows ${text}: ${found.join(' | ')}`)
  }
  t.match(whole.plots['growth.svg'], /prefers-color-scheme: dark/, 'a separate plot defines its colours too')
})

t.test('the page states the machine, commit, run, load and doubts', async (t) => {
  for (const fact of [
    'Written 2026-03-05 12:00 UTC', '2026-03-02 10:00 UTC, node bench/index.ts --duration 2', '1234abc-dirty', '2 cores, A &#38; B CPU, 16 GiB, linux x64, Node v24.0.0', 'PostgreSQL 15: 2 companies',
    '2 s each after a warm-up, 64 connections (bulk 4)', 'yardstick 12,000 before, 8,000 after: 20.0 % from their mean (trusted up to 15 %)', 'Do not trust these figures: the two runs of the serialized yardstick deviate 20 % from their mean',
    '2026-03-03 10:00 UTC, node bench/peers.ts', '2026-03-04 10:00 UTC, node bench/growth.ts', 'stay below a bar of 1.3', 'tree of 10,000: 115 / 144, bare recursive query 58.0 / 92.0, ratio 1.98', '(bar: 3)',
    '<td>250.00</td>', '<th>to bytes</th>', '<td>0.25</td>', '<td>235 / 242</td>'
  ]) t.ok(whole.page.includes(fact), fact)
  t.notMatch(whole.page, 'an older run')
  t.notMatch(whole.page, 'No result yet')
})

t.test('the page loads nothing', async (t) => {
  const loaded = whole.page.match(/<(script|link|img|iframe|object|use)\b|\b(src|href|srcset)=|url\((?!#)|@import/g)
  t.equal(loaded, null)
  t.strictSame([...new Set(whole.page.match(/https?:[^"']*/g))], ['http://www.w3.org/2000/svg', 'http://www.w3.org/1999/xlink'], 'only namespaces, which are not fetched')
  for (const plot of Object.values(whole.plots)) {
    const { 0: svg = '' } = /<\/title>[\s\S]*/.exec(plot.replace(/<style>[\s\S]*?<\/style>/, '')) ?? []
    t.ok(whole.page.includes(svg) && svg.length > 1000, 'the page contains the plot')
  }
})

t.test('a part without a result shows the command that makes one, and no plot', async (t) => {
  const { page, plots } = report({ 'peers-2026-03-03T10-00-00': peers })
  t.strictSame(Object.keys(plots), ['peers.svg'])
  t.strictSame(page.match(/No result yet. Run <code>[^<]*/g), ['bench', 'bench', 'bench:growth'].map(script => `No result yet. Run <code>npm run ${script}`))
  t.match(page, 'hono-drizzle')
})
