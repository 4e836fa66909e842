import { type Row, type Run } from '../results.ts'
import { axis, draw, ink, rich, type Plot } from './draw.ts'

const columns = 4
const panel = { width: 222, height: 150, gap: 40, left: 56, top: 34, bottom: 46 }

/** 100 for p99, 1000 for p99.9: the further right, the rarer. */
const rarity = (percent: number) => 100 / (100 - percent)
const marked = [50, 99]

/** Latency of each workload by percentile, one panel per workload, with the yardstick's as background. */
export function drawLatency ({ rows }: Run): Plot {
  const workloads = rows.filter(row => row.yardstick === undefined)
  const bare = rows.find(row => row.yardstick === 'serialized')
  const times = rows.flatMap(({ percentiles }) => percentiles.map(([, milliseconds]) => milliseconds))
  const bounds = { min: 10 ** Math.floor(Math.log10(Math.min(...times))), max: 10 ** Math.ceil(Math.log10(Math.max(...times))) }
  const at = (index: number) => ({
    left: panel.left + index % columns * (panel.width + panel.gap),
    top: panel.top + Math.floor(index / columns) * (panel.height + panel.top + panel.bottom)
  })
  const each = <T>(make: (row: Row, index: number) => T) => workloads.map(make)
  const { left: width } = at(columns - 1)
  const { top: height } = at(workloads.length - 1)
  return draw('latency', 'Latency of each workload by percentile', width + panel.width + 40, height + panel.height + panel.bottom, {
    title: each(({ name, percentiles }, index) => ({ text: `{strong|${name}}{faint|${range(percentiles)}}`, left: at(index).left, top: at(index).top - 28, padding: 0, textStyle: { rich: rich(12, { padding: [0, 24, 0, 0] }) } })),
    grid: each((_, index) => ({ ...at(index), width: panel.width, height: panel.height })),
    xAxis: each((_, index) => axis({ type: 'log', min: 1, max: 1000, gridIndex: index, name: 'percentile (log scale)', nameLocation: 'middle', nameGap: 26, axisLabel: { formatter: percentileAt, fontSize: 11 } })),
    yAxis: each((_, index) => axis({ type: 'log', ...bounds, gridIndex: index, name: index % columns === 0 ? 'ms (log scale)' : undefined, nameLocation: 'middle', nameGap: 38, axisLabel: { show: index % columns === 0, fontSize: 11 } })),
    series: workloads.flatMap((row, index) => [
      ...bare === undefined ? [] : [curve(bare, index, { lineStyle: { color: ink.faint, width: 1.5, type: 'dashed' }, symbol: 'none', endLabel: { show: index === 0, formatter: 'yardstick', color: ink.faint, fontSize: 11, align: 'right', offset: [-4, 14] } })],
      curve(row, index, { lineStyle: { color: ink.main, width: 2.5 }, itemStyle: { color: ink.main }, symbol: 'circle', symbolSize: 5 })
    ])
  })
}

function curve ({ name, percentiles }: Row, index: number, style: object) {
  return {
    type: 'line',
    name,
    xAxisIndex: index,
    yAxisIndex: index,
    ...style,
    data: percentiles.map(([percent, milliseconds]) => ({
      value: [rarity(percent), milliseconds],
      label: { show: marked.includes(percent), position: 'top', formatter: short(milliseconds), color: ink.text, fontSize: 11 }
    }))
  }
}

const short = (milliseconds: number) => milliseconds.toFixed(milliseconds < 100 ? 1 : 0)
const percentileAt = (rarity: number) => `p${Number((100 - 100 / rarity).toFixed(1))}`

function range (percentiles: Row['percentiles']): string {
  const [first, last] = [percentiles[0], percentiles.at(-1)]
  return first === undefined || last === undefined ? 'too few answers' : `p${first[0]} ${short(first[1])} ms … p${last[0]} ${short(last[1])} ms`
}
