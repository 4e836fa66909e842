import { perSecond, ratio, yardstickOf, type Run } from '../results.ts'
import { axis, draw, ink, over, rich, type Plot } from './draw.ts'

const height = { row: 44, rest: 96 }

/** Ratio of each workload to the serializing yardstick, whose two runs are the ends of the band. A second line shows the yardstick of bytes. */
export function drawThroughput ({ rows }: Run): Plot {
  const [yardstick, bytes] = [yardstickOf(rows), yardstickOf(rows, 'bytes')]
  const workloads = rows.filter(row => row.yardstick === undefined)
  const measures = rows.filter(row => row.yardstick === 'serialized').map(row => row.rate / yardstick)
  const unit = (records?: number) => records === undefined ? 'requests/s' : 'records/s'
  return draw('throughput', 'Throughput of each workload, as a ratio to the yardstick', 1120, workloads.length * height.row + height.rest, {
    grid: { left: 450, right: 140, top: 44, bottom: 52 },
    xAxis: axis({ type: 'value', min: 0, max: ({ max }: { max: number }) => Math.max(1.2, Math.ceil(Math.max(max, bytes / yardstick) * 5) / 5), name: 'ratio to the yardstick (a bare Fastify route)', nameLocation: 'middle', nameGap: 30 }),
    yAxis: axis({
      type: 'category',
      inverse: true,
      data: workloads.map(({ name, about }) => `{strong|${name}}\n{faint|${about}}`),
      axisLabel: { rich: rich(12, { lineHeight: 16, align: 'right', padding: 0 }) },
      axisLine: { show: true }
    }),
    series: [{
      type: 'bar',
      name: 'ratio',
      barWidth: 20,
      itemStyle: { color: ink.main },
      data: workloads.map(row => ({
        value: row.rate / yardstick,
        label: { show: true, position: 'right', formatter: `{strong|${ratio(row, yardstick)}} {faint|${perSecond(row)} ${unit(row.records)}}`, rich: rich(12), ...over }
      })),
      markLine: {
        silent: true,
        z: 1,
        symbol: 'none',
        lineStyle: { color: ink.text, type: 'dashed' },
        label: { color: ink.text, position: 'start', distance: 8 },
        data: [
          { xAxis: 1, label: { formatter: `yardstick: ${perSecond({ rate: yardstick })} requests/s` } },
          { xAxis: bytes / yardstick, label: { formatter: `bytes: ${perSecond({ rate: bytes })}`, position: 'end' } }
        ]
      },
      markArea: { silent: true, z: 0, itemStyle: { color: ink.band }, data: [[{ xAxis: Math.min(...measures) }, { xAxis: Math.max(...measures) }]] }
    }]
  })
}
