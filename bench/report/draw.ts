import { BarChart, LineChart, ScatterChart } from 'echarts/charts'
import { GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent, TitleComponent } from 'echarts/components'
import { init, use, type EChartsCoreOption } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'

use([BarChart, LineChart, ScatterChart, GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent, TitleComponent, SVGRenderer])

/** An SVG plot, whose colours are the variables of {@link colours}. */
export interface Plot {
  /** File name without `.svg`. */
  name: string
  svg: string
}

/** The variables of {@link colours}, for plots. */
export const ink = { text: 'var(--text)', faint: 'var(--faint)', line: 'var(--line)', band: 'var(--band)', main: 'var(--main)', warn: 'var(--warn)' }

/** Colours of an ordered scale with `count` steps, the last one the strongest. */
export function shades (count: number): string[] {
  return Array.from({ length: count }, (_, index) => `var(--shade-${count === 1 ? 3 : Math.round(index * 3 / (count - 1))})`)
}

/** The variables for light and paper, and for dark mode. */
export const colours = `
:root { --paper: #fff; --text: #1b2027; --faint: #5d6773; --line: #dde1e6; --band: #eceff3; --main: #2463b0; --warn: #c2410c;
  --shade-0: #a9c7e8; --shade-1: #6b9fd4; --shade-2: #2f6db5; --shade-3: #123a6d }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #14181d; --text: #e6e9ed; --faint: #98a2ae; --line: #2f363f; --band: #222830; --main: #6cabf2; --warn: #fb8a4c;
  --shade-0: #33567f; --shade-1: #4a80bd; --shade-2: #7db3ee; --shade-3: #d3e6fb } }`

// Without quotes, because the library writes it into an attribute.
const fontFamily = 'system-ui, -apple-system, Segoe UI, DejaVu Sans, sans-serif'

/** Styles for rich text, `{strong|…}` and `{faint|…}`, in one size. The padding allows for fonts wider than the one used to compute widths. */
export function rich (fontSize: number, own: Record<string, unknown> = {}): Record<string, object> {
  const style = { fontFamily, fontSize, ...own }
  return { strong: { ...style, color: ink.text, fontWeight: 'bold', padding: [0, 10, 0, 0], ...own }, faint: { ...style, color: ink.faint, fontWeight: 'normal' } }
}

/** The style of a label over lines. */
export const over = { backgroundColor: 'var(--paper)', padding: [1, 3] }

/** The style of an axis, with overrides. */
export function axis (own: Record<string, any>): Record<string, any> {
  return {
    ...own,
    nameTextStyle: { color: ink.faint, fontSize: 12 },
    axisLabel: { color: ink.faint, fontSize: 12, ...own['axisLabel'] },
    axisLine: { show: false, lineStyle: { color: ink.line }, ...own['axisLine'] },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: ink.line }, ...own['splitLine'] }
  }
}

/** Draws a plot. @param title the accessible name */
export function draw (name: string, title: string, width: number, height: number, option: EChartsCoreOption): Plot {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption({ animation: false, textStyle: { fontFamily, color: ink.text }, ...option })
    return { name, svg: chart.renderToSVGString().replace(/^<svg [^>]*>/, open => `${open.slice(0, -1)} role="img"><title>${title}</title>`) }
  } finally {
    chart.dispose()
  }
}

/** The plot as a separate file. */
export function standalone ({ svg }: Plot): string {
  return svg.replace('</title>', `</title><style>${colours} svg { background: var(--paper) }</style>`)
}
