import { perSecond, ratio, yardstickOf, type Run } from '../results.ts'
import { axis, draw, ink, rich, type Plot } from './draw.ts'

const width = { names: 130, panel: 222, gap: 30 }

/** Rate of each service at each workload, one panel per workload. */
export function drawPeers ({ rows }: Run): Plot {
  const yardstick = yardstickOf(rows)
  const measured = rows.filter(row => row.yardstick === undefined)
  const workloads = [...new Set(measured.map(({ name }) => name))]
  const services = [...new Set(measured.map(({ service = '' }) => service)), 'yardstick']
  const rates = [...measured.map(({ rate }) => rate), yardstick]
  const bounds = { min: 10 ** Math.floor(Math.log10(Math.min(...rates))), max: 10 ** Math.ceil(Math.log10(Math.max(...rates))) }
  const left = (panel: number) => width.names + panel * (width.panel + width.gap)
  const each = <T>(make: (workload: string, panel: number) => T) => workloads.map(make)
  return draw('peers', 'Throughput of Obra and its peers at each workload', left(workloads.length) + 20, services.length * 46 + 120, {
    title: each((name, panel) => ({ text: name, left: left(panel), top: 4, padding: 0, textStyle: { color: ink.text, fontSize: 13 } })),
    grid: each((_, panel) => ({ left: left(panel), width: width.panel, top: 46, bottom: 58 })),
    xAxis: each((_, panel) => axis({ type: 'log', ...bounds, gridIndex: panel, name: 'requests/s (log scale)', nameLocation: 'middle', nameGap: 30, axisLabel: { formatter: shortly } })),
    yAxis: each((_, panel) => axis({ type: 'category', inverse: true, gridIndex: panel, data: services, axisLabel: { show: panel === 0, color: ink.text, fontSize: 13 }, splitLine: { show: true } })),
    series: each((name, panel) => ({
      type: 'scatter',
      name,
      xAxisIndex: panel,
      yAxisIndex: panel,
      symbolSize: 11,
      data: [...measured.filter(row => row.name === name), { service: 'yardstick', rate: yardstick }].map((row) => {
        const own = row.service === services[0]
        return {
          value: [row.rate, row.service],
          itemStyle: { color: own ? ink.main : ink.faint, opacity: 1 },
          label: { show: true, position: row.rate > bounds.max / 10 ? 'left' : 'right', formatter: `{strong|${perSecond(row)}}{faint|${ratio(row, yardstick)}}`, rich: rich(12) }
        }
      })
    }))
  })
}

const shortly = (rate: number) => rate < 1000 ? String(rate) : `${rate / 1000}k`
