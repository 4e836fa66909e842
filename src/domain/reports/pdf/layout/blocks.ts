import type { Content, Style, Text } from '../content.ts'
import { signatureStrip } from './signatures.ts'
import type { Block, Run, Strip } from './strip.ts'
import { tableRun } from './table.ts'
import type { Canvas } from './canvas.ts'

/** Breaks parts of a sheet into strips. @param width of the parts in points */
export function blocksOf (canvas: Canvas, parts: Content[], width: number): Block[] {
  return parts.flatMap(part => blockOf(canvas, part, width))
}

function blockOf (canvas: Canvas, part: Content, width: number): Block[] {
  if (typeof part === 'string') return part === '' ? [] : [textRun(canvas, { text: part }, width)]
  if ('text' in part) return [textRun(canvas, part, width)]
  if ('rows' in part) return tableRun(canvas, part, width)
  if ('signers' in part) return [{ before: 48, after: 0, head: [], body: [signatureStrip(canvas, part, width)], keepsPrevious: true }]
  if ('columns' in part) {
    const each = (width - part.gap * (part.columns.length - 1)) / part.columns.length
    return [{ columns: part.columns.map((column, index) => ({ x: index * (each + part.gap), blocks: blocksOf(canvas, column, each) })) }]
  }
  return withMargin(blocksOf(canvas, part.stack, width), part.margin[1], part.margin[3])
}

function withMargin (blocks: Block[], before: number, after: number): Block[] {
  const [first, last] = [blocks[0], blocks.at(-1)]
  if (first !== undefined && 'body' in first) first.before += before
  if (last !== undefined && 'body' in last) last.after += after
  return blocks
}

/** A text by itself. Each line is a strip. */
function textRun (
  canvas: Canvas, { text, margin: [left, before, right, after] = [0, 0, 0, 0], keepsNext, ...style }: Text, width: number
): Run {
  const body = linesOf(canvas, text, style, left, width - left - right)
  return { before, after, head: [], body, ...keepsNext === true ? { keepsNext } : {} }
}

function linesOf (canvas: Canvas, text: string, style: Style, left: number, width: number): Strip[] {
  const pen = canvas.pen(style)
  return pen.linesOf(text, width).map(line => ({ height: pen.lineHeight, draw: (x, y) => pen.write(line, x + left, y, width) }))
}
