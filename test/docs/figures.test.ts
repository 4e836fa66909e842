import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../support/process.ts'

/** Rows of a table, by their first cell. Each one has its cells by the header of their column. */
type Table = Map<string, Map<string, string>>

/** The first table below a heading of a page. */
function tableOf (page: string, heading: string): Table {
  const section = readFileSync(join(root, page), 'utf8').split(/^## /m).find(text => text.startsWith(`${heading}\n`)) as string
  const lines = section.split('\n')
  const first = lines.findIndex(line => line.startsWith('|'))
  const last = lines.findIndex((line, index) => index > first && !line.startsWith('|'))
  const [header, , ...rows] = lines.slice(first, last).map(line => line.split('|').slice(1, -1).map(cell => cell.trim()))
  return new Map(rows.map(cells => [cells[0], new Map(cells.map((cell, index) => [header[index], cell]))]))
}

const peers = tableOf('docs/explanation/performance.md', 'Against other stacks')
const times = tableOf('docs/explanation/performance.md', 'Against a bare route')
const scaling = readFileSync(join(root, 'docs/explanation/scaling.md'), 'utf8').replaceAll(/\s+/g, ' ')

t.test('the README has the figures of the performance page', async (t) => {
  const rows = [...tableOf('README.md', 'Performance')]
  t.equal(rows.length, 3)
  for (const [request, cells] of rows) {
    for (const [service, ratio] of [...cells].slice(1)) t.equal(ratio, peers.get(service)?.get(request), `${service}, ${request}`)
  }
})

t.test('the page about scaling calculates with the times of the performance page', async (t) => {
  const mix = { '1,000 users\' pages 1–5': 0.9, 'random single contracts': 0.08, 'creates in all companies': 0.01, updates: 0.01 }
  const microseconds = (request: string, part: string) => Number(times.get(request)?.get(part))
  const mean = (part: string) => Math.round(Object.entries(mix).reduce((sum, [request, share]) => sum + share * microseconds(request, part), 0))
  t.match(scaling, `${mean('service µs')} µs of a server process and ${mean('PostgreSQL µs')} µs of PostgreSQL`)
  const creates = (part: string) => `1,000 × ${microseconds('creates in all companies', part)} µs`
  t.match(scaling, creates('service µs'))
  t.match(scaling, creates('PostgreSQL µs'))
  const perCore = (request: string) => (Math.floor(1e6 / microseconds(request, 'PostgreSQL µs') / 100) * 100).toLocaleString('en')
  t.match(scaling, `${perCore('updates')} updates per second`)
})
