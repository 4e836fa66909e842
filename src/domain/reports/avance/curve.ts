// One file: the modules of the package would take 0.7 s and 110 MB.
import { init } from 'echarts/dist/echarts.esm.min.mjs'
import type { Row } from '../../../database/connection/sql.ts'
import type { Language } from '../../../http/messages.ts'

const words = {
  en: {
    locale: 'en-US',
    title: 'Planned and executed',
    planned: 'Planned',
    executed: 'Executed',
    by: 'as of',
    empty: 'Nothing planned or executed yet'
  },
  es: {
    locale: 'es-MX',
    title: 'Programado y ejecutado',
    planned: 'Programado',
    executed: 'Ejecutado',
    by: 'al',
    empty: 'Aún sin programa ni ejecución'
  }
} satisfies Record<Language, object>

/** Blue and orange, which people with colour blindness can tell apart. */
const colors = { planned: '#0b5cad', executed: '#d55e00' }

/** Height of the drawing in px for a width: three quarters, and less on large screens. */
const heightFor = (width: number) => Math.round(Math.min(width * 0.75, 240 + width * 0.25))

/** Up to this number of points, each one is marked. */
const maxMarked = 24

/** What a drawing shows. */
export interface Curve {
  /** Rows of `curveQuery`, at least one. */
  rows: Row[]
  /** In px. */
  width: number
}

/** Draws the S-curve of a contract. @returns an SVG document */
export function drawCurve ({ rows, width }: Curve, language: Language): string {
  const [{ folio, moneda, desde }] = rows
  const { locale, title, planned, executed, by, empty } = words[language]
  const periods = rows.filter(row => row['hit'] !== null)
  const done = upToLastChange(periods)
  // The legend compares both on the day up to which the work is executed.
  const compared = done.at(-1) ?? periods.at(-1)
  const nameOf = (name: string, percentage: unknown) => typeof percentage === 'string' ? `${name} ${percentage} %` : name
  const curves = [
    { name: nameOf(planned, compared?.['porcentaje_programado']), periods, amount: 'programado', color: colors.planned, type: 'dashed' },
    {
      name: nameOf(executed, compared?.['porcentaje_ejecutado']), periods: done, amount: 'ejecutado', color: colors.executed, type: 'solid'
    }
  ] as const
  const amounts = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 })
  const months = new Intl.DateTimeFormat(locale, { month: 'short', year: '2-digit', timeZone: 'UTC' })
  const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const wholeDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const when = compared === undefined ? empty : `${moneda} · ${by} ${wholeDay.format(Date.parse(compared['hasta']))}`
  const first = Date.parse(desde ?? '2000-01-01')
  const last = Date.parse(periods.at(-1)?.['hasta'] ?? '2000-12-31')
  const isShort = last - first < 60 * dayMs

  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height: heightFor(width) })
  try {
    chart.setOption({
      animation: false,
      useUTC: true,
      backgroundColor: '#ffffff',
      textStyle: { fontFamily: 'sans-serif' },
      title: {
        text: title,
        subtext: `${folio}\n${when}`,
        left: 'center',
        top: 6,
        itemGap: 4,
        textStyle: { fontSize: 15, color: '#222222', width: width - 20, overflow: 'truncate' },
        subtextStyle: { fontSize: 12, lineHeight: 16, color: '#444444', width: width - 20, overflow: 'truncate' }
      },
      legend: { bottom: 4, itemWidth: 22, itemGap: 14, selectedMode: false, textStyle: { fontSize: 12, color: '#222222' } },
      grid: { left: 10, right: 18, top: 72, bottom: 34, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
      xAxis: {
        type: 'time',
        show: periods.length > 0,
        min: first,
        max: last,
        minInterval: isShort ? dayMs : 28 * dayMs,
        splitNumber: Math.max(2, Math.floor(width / 110)),
        axisLabel: {
          fontSize: 12, color: '#333333', hideOverlap: true, formatter: (time: number) => (isShort ? days : months).format(time)
        }
      },
      yAxis: {
        type: 'value', splitNumber: 4, axisLabel: { fontSize: 12, color: '#333333', formatter: (amount: number) => amounts.format(amount) }
      },
      series: curves.map(({ name, periods, amount, color, type }) => ({
        name,
        type: 'line',
        color,
        lineStyle: { width: 2.5, type },
        showSymbol: periods.length <= maxMarked,
        symbolSize: 6,
        symbol: 'circle',
        data: periods.length === 0 ? [] : [[desde, 0], ...periods.map(period => [period['hasta'], Number(period[amount])])]
      }))
    })
    return accessible(renumbered(chart.renderToSVGString()), `${title}: ${folio}`)
  } finally {
    chart.dispose()
  }
}

const dayMs = 86_400_000

/** The periods up to the last one with a change of what is executed: later ones have not happened. */
function upToLastChange (periods: Row[]): Row[] {
  const last = periods.findLastIndex(({ ejecutado }, index) => ejecutado !== (periods[index - 1]?.['ejecutado'] ?? '0.00'))
  return periods.slice(0, last + 1)
}

/**
 * The library numbers the ids and classes of the process, not of the drawing. The same rows have the same drawing, as they have the same
 * ETag. A text that people read, such as a folio, can look like an id, and stays.
 */
function renumbered (svg: string): string {
  const names = new Map<string, string>()
  return svg.replaceAll(/>[^<>]*<\/text>|\bzr\d+-[\w-]+/g, (name) => {
    if (name.startsWith('>')) return name
    const known = names.get(name) ?? `c${names.size}`
    names.set(name, known)
    return known
  })
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Names the drawing, for screen readers. */
function accessible (svg: string, name: string): string {
  const escaped = name.replaceAll(/[&<>"]/g, char => entities[char] ?? '')
  // A function, because a text could have patterns of a replacement, such as `$&`.
  return svg.replace(/^<svg /, () => `<svg role="img" aria-label="${escaped}" `)
}
