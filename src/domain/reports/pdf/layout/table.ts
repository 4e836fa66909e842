import { rule } from '../colors.ts'
import type { Cell, Table, Text } from '../content.ts'
import type { Canvas } from './canvas.ts'
import type { Pen } from './pen.ts'
import type { Run, Strip } from './strip.ts'

/** In points: above and below the text of a row, and the line below it. */
const [padding, lineWidth] = [2, 0.7]

/** A column of text and the space beside it, in points. */
interface Column {
  x: number
  width: number
  before: number
  after: number
}

/** A text in a row. */
interface Cut {
  pen: Pen
  lines: string[]
  cell: Text
  x: number
  width: number
  box: { x: number, width: number }
}

const textOf = (cell: Cell): Text => typeof cell === 'string' ? { text: cell } : cell
const marginOf = ({ margin = [0, 0, 0, 0] }: Text) => margin

/** Breaks a table into rows. @param width of all columns in points @returns none for an empty table */
export function tableRun (canvas: Canvas, table: Table, width: number): Run[] {
  const columns = columnsOf(canvas, table, width)
  const rowOf = (cells: Cell[], line?: string) => rowStrip(canvas, cut(canvas, table, columns, cells), line)
  const color = (hasLine: boolean, name: string) => table.isLined && hasLine ? name : undefined
  const head = table.head.map((cells, index) => rowOf(cells, color(index === table.head.length - 1, 'black')))
  const body = table.rows.map(cells => rowOf(cells, color(true, rule)))
  const [first, ...rest] = body.length > 0 ? [head, ...body] : [[], ...head]
  return rest.length === 0 ? [] : [{ before: 0, after: 0, head: first, body: rest }]
}

/** The width of each column: `*` shares what the others leave, at least a sixth of the page. For that, `auto` becomes narrower. */
function columnsOf (canvas: Canvas, table: Table, total: number): Column[] {
  const { widths, gap } = table
  const text = total - 2 * gap * (widths.length - 1)
  const stars = widths.filter(width => width === '*').length
  const fixed = sumOf(widths.filter(width => typeof width === 'number'))
  const autos = widths.map((width, index) => width === 'auto' ? widest(canvas, table, index) : 0)
  const auto = sumOf(autos)
  const least = stars === 0 ? 0 : total / 6
  const share = auto === 0 ? 1 : Math.min(1, Math.max(0.1, (text - fixed - least) / auto))
  let x = 0
  return widths.map((width, index) => {
    const before = index === 0 ? 0 : gap
    const after = index === widths.length - 1 ? 0 : gap
    const own = width === '*' ? (text - fixed - auto * share) / stars : width === 'auto' ? autos[index] * share : width
    const column = { x: x + before, width: own, before, after }
    x += before + own + after
    return column
  })
}

const sumOf = (widths: number[]) => widths.reduce((sum, width) => sum + width, 0)

function widest (canvas: Canvas, table: Table, index: number): number {
  return Math.max(0, ...[...table.head, ...table.rows].map((cells) => {
    const cell = textOf(cells[index] ?? '')
    if (cell.text === '' || cell.colSpan !== undefined) return 0
    const [left, , right] = marginOf(cell)
    return canvas.pen({ ...fontOf(table), ...cell }).widthOfLines(cell.text) + left + right
  }))
}

const fontOf = ({ fontSize }: Table) => fontSize === undefined ? {} : { fontSize }

/** The texts of a row, broken into lines. */
function cut (canvas: Canvas, table: Table, columns: Column[], cells: Cell[]): Cut[] {
  const cuts: Cut[] = []
  for (let index = 0; index < columns.length;) {
    const cell = textOf(cells[index] ?? '')
    const [first, last] = [columns[index], columns[Math.min(index + (cell.colSpan ?? 1), columns.length) - 1]]
    const [left, , right] = marginOf(cell)
    const pen = canvas.pen({ ...fontOf(table), ...cell })
    const width = last.x + last.width - first.x - left - right
    const start = first.x - first.before
    // The width of a column is that of its longest text, whose width can differ by a rounding error.
    cuts.push({
      pen,
      cell,
      lines: pen.linesOf(cell.text, width + 0.01),
      x: first.x + left,
      width,
      box: { x: start, width: last.x + last.width + last.after - start }
    })
    index += cell.colSpan ?? 1
  }
  return cuts
}

/** A row. @param line color of the line below it, if there is one */
function rowStrip (canvas: Canvas, cuts: Cut[], line: string | undefined): Strip {
  const frame = 2 * padding + (line === undefined ? 0 : lineWidth)
  const height = frame +
    Math.max(...cuts.map(({ pen, lines, cell }) => marginOf(cell)[1] + lines.length * pen.lineHeight + marginOf(cell)[3]))
  return {
    height,
    draw (x, y) {
      const end = Math.max(...cuts.map(({ box }) => box.x + box.width))
      for (const { pen, lines, cell, width, box, x: left } of cuts) {
        if (cell.fillColor !== undefined) canvas.fill(x + box.x, y, box.width, height, cell.fillColor)
        for (const [index, text] of lines.entries()) {
          pen.write(text, x + left, y + padding + marginOf(cell)[1] + index * pen.lineHeight, width)
        }
      }
      if (line !== undefined) canvas.line(x, y + height - lineWidth / 2, end, line)
    },
    cut (most) {
      const fitting = ({ pen, cell }: Cut) => Math.max(1, Math.floor((most - frame - marginOf(cell)[1]) / pen.lineHeight))
      if (cuts.every(one => one.lines.length <= fitting(one))) return undefined
      const part = (linesOf: (one: Cut) => string[]) => rowStrip(canvas, cuts.map(one => ({ ...one, lines: linesOf(one) })), line)
      return [part(one => one.lines.slice(0, fitting(one))), part(one => one.lines.slice(fitting(one)))]
    }
  }
}
