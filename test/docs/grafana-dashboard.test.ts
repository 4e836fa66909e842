import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { WorkersMetrics } from '../../src/server/metrics/workers.ts'
import { build } from '../support/helper.ts'
import { root } from '../support/process.ts'
import { metricsIn } from './promql.ts'

interface Dashboard {
  schemaVersion: number
  templating: { list: Array<{ name: string, type: string }> }
  panels: Array<{ id: number, type: string, title: string, datasource?: { uid: string }, targets?: Array<{ expr: string, datasource: { uid: string } }> }>
}

const dashboard: Dashboard = JSON.parse(readFileSync(join(root, 'docs/examples/grafana-dashboard.json'), 'utf8'))
const panels = dashboard.panels.filter(({ type }) => type !== 'row')
const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))

t.test('the dashboard can be imported into Grafana 10 or newer', async (t) => {
  t.ok(dashboard.schemaVersion >= 38)
  t.ok(dashboard.templating.list.some(({ name, type }) => name === 'DS_PROMETHEUS' && type === 'datasource'))
  const uids = panels.flatMap(({ datasource, targets = [] }) => [datasource?.uid, ...targets.map(({ datasource }) => datasource.uid)])
  t.strictSame([...new Set(uids)], ['$' + '{DS_PROMETHEUS}'])
  t.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length)
  t.ok(panels.every(({ targets = [] }) => targets.length > 0))
})

t.test('its expressions use metrics that the service has, and each metric of the service has a panel', async (t) => {
  const { app } = await build(t, { METRICS_PORT: 0 })
  const texts = [await app.metrics?.metrics(), await (await new WorkersMetrics().read(new Map())).metrics()]
  const kinds = new Map(texts.flatMap(text => [...(text ?? '').matchAll(/^# TYPE (\S+) (\S+)$/gm)]).map(([, name, kind]) => [name, kind]))
  const series = new Map([...kinds].flatMap(([name, kind]) => kind === 'histogram' ? ['bucket', 'sum', 'count'].map(part => [`${name}_${part}`, name]) : kind === 'summary' ? [[`${name}_sum`, name]] : [[name, name]]) as Array<[string, string]>)

  for (const { title, expr } of queries) {
    const names = metricsIn(expr)
    t.ok(names.length > 0, `${title}: ${expr}`)
    t.strictSame(names.filter(name => !series.has(name)), [], `${title}: ${expr}`)
  }
  const shown = new Set(queries.flatMap(({ expr }) => metricsIn(expr)).map(name => series.get(name)))
  t.strictSame([...kinds.keys()].filter(name => /^(obra|http)_/.test(name) && !shown.has(name)), [], 'every metric has a panel')
})
