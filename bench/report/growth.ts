import { bar, growthOf, type Line, type Run } from '../growth/results.ts'
import { axis, draw, ink, shades, type Plot } from './draw.ts'

const height = { row: 22, rest: 130 }

/** Cost of each kind of request at each size, one line per kind; those below the bar's limit come first. */
export function drawGrowth ({ lines }: Run): Plot {
  const held = lines.filter(line => line.bar)
  const others = lines.filter(line => !line.bar)
  const sizes = lines[0]?.costs.map(({ size }) => size) ?? []
  const rows: Array<Line | undefined> = [...held, ...held.length > 0 && others.length > 0 ? [undefined] : [], ...others]
  const all = lines.flatMap(({ costs }) => costs.map(({ median }) => median))
  const bounds = { min: niceBelow(Math.min(...all)), max: 10 ** Math.ceil(Math.log10(Math.max(...all))) }
  const colours = shades(sizes.length)
  const label = (line?: Line) => line === undefined ? '' : line.about.replaceAll('`', '')
  const times = (line?: Line) => line === undefined ? '' : `× ${growthOf(line).toFixed(growthOf(line) < 10 ? 2 : 0)}`
  const milliseconds = (position: 'top' | 'bottom') => axis({
    type: 'log',
    ...bounds,
    position,
    axisLabel: { formatter: '{value} ms' },
    splitLine: { show: position === 'bottom' },
    ...position === 'bottom' && { name: 'median of a request, ms (log scale)', nameLocation: 'middle', nameGap: 30 }
  })
  return draw('growth', 'Cost of each kind of request against the contracts in a company', 1100, rows.length * height.row + height.rest, {
    legend: { top: 0, left: 400, itemGap: 18, data: sizes.map(named), textStyle: { color: ink.text }, selectedMode: false },
    grid: { left: 400, right: 90, top: 70, bottom: 60 },
    xAxis: [milliseconds('bottom'), milliseconds('top')],
    yAxis: [
      axis({ type: 'category', inverse: true, data: rows.map(label), axisLabel: { color: ink.text, interval: 0 } }),
      axis({ type: 'category', inverse: true, position: 'right', data: rows.map(times), axisLabel: { interval: 0, color: (_: string, index: number) => isAbove(rows[index]) ? ink.warn : ink.text } })
    ],
    series: [
      ...rows.flatMap((line, row) => line === undefined ? [] : [{ type: 'line', silent: true, symbol: 'none', lineStyle: { color: ink.line, width: 5, cap: 'round' }, data: extent(line).map(median => [median, row]) }]),
      ...sizes.map((size, index) => ({
        type: 'scatter',
        name: named(size),
        symbolSize: 10,
        itemStyle: { color: colours[index] },
        data: rows.flatMap((line, row) => line === undefined ? [] : [[line.costs[index]?.median, row]])
      })),
      // An axis is drawn only if it has a series.
      { type: 'scatter', xAxisIndex: 1, yAxisIndex: 1, data: [] }
    ]
  })
}

const named = (size: number) => `${size.toLocaleString('en')} contracts`
const isAbove = (line?: Line) => line !== undefined && line.bar && growthOf(line) > bar
const extent = ({ costs }: Line) => [Math.min(...costs.map(({ median }) => median)), Math.max(...costs.map(({ median }) => median))]

/** The largest of 1, 2 or 5 times a power of ten that is not above the value. */
function niceBelow (value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return (value / power >= 5 ? 5 : value / power >= 2 ? 2 : 1) * power
}
