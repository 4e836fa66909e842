import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectDefaultMetrics, Registry } from 'prom-client'
import t from 'tap'
import { root } from '../support/process.ts'
import { metricsIn } from './promql.ts'

const read = (path: string) => readFileSync(join(root, 'docs', path), 'utf8')
const page = read('reference/operation.md')
const rules = [...read('deploy/one-machine/alerts.yml').matchAll(/- alert: (\w+)\n +expr: ((?:.*\n)+?) +(?:for|annotations):/g)]
  .map(([, name, expr]) => ({ name, expr: expr as string }))

t.test('the page lists each alert of the file', (t) => {
  const section = /^## Alerts\n([^]*?)^## /m.exec(page)?.[1] ?? ''
  const listed = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  t.ok(listed.length >= 9)
  t.strictSame(rules.map(({ name }) => name), listed)
  t.end()
})

t.test('each alert uses metrics that the service has', (t) => {
  const register = new Registry()
  collectDefaultMetrics({ register })
  // Another test compares the table of the page with the metrics of a server.
  const table = [...page.matchAll(/^\| `(obra_\w+)` \| (\w+) \|/gm)]
  const known = new Set([
    ...register.getMetricsAsArray().map(({ name }) => name),
    ...table.flatMap(([, name = '', type]) => type === 'histogram' ? ['bucket', 'sum', 'count'].map(part => `${name}_${part}`) : [name])
  ])
  for (const { name, expr } of rules) {
    const metrics = metricsIn(expr)
    t.ok(metrics.length > 0, `${name}: ${expr}`)
    t.strictSame(metrics.filter(one => !known.has(one)), [], name)
  }
  t.end()
})
