import type { Content } from '../content.ts'
import { muted } from '../colors.ts'
import type { Canvas } from './canvas.ts'
import type { Strip } from './strip.ts'

/** In points: between two lines to sign on, above each of them for the signature, and below it. */
const [gap, room, below] = [24, 34, 3]

/** Lines to sign on, which stay on one page. @param width of all of them in points */
export function signatureStrip (canvas: Canvas, { signers, name }: Extract<Content, { signers: unknown }>, width: number): Strip {
  const each = (width - gap * (signers.length - 1)) / signers.length
  const style = { fontSize: 8, alignment: 'center' } as const
  const [bold, small, plain] = [
    canvas.pen({ ...style, bold: true }), canvas.pen({ ...style, fontSize: 7, color: muted }), canvas.pen(style)
  ]
  const columns = signers.map(([act, role]) => ({ act: bold.linesOf(act, each), role: plain.linesOf(role, each) }))
  const line = Math.max(...columns.map(({ act }) => act.length)) * bold.lineHeight + room
  const roles = line + below + small.lineHeight
  return {
    height: roles + Math.max(...columns.map(({ role }) => role.length)) * plain.lineHeight,
    draw (x, y) {
      for (const [index, { act, role }] of columns.entries()) {
        const left = x + index * (each + gap)
        for (const [nth, text] of act.entries()) bold.write(text, left, y + nth * bold.lineHeight, each)
        canvas.line(left, y + line, each, 'black')
        small.write(name, left, y + line + below, each)
        for (const [nth, text] of role.entries()) plain.write(text, left, y + roles + nth * plain.lineHeight, each)
      }
    }
  }
}
