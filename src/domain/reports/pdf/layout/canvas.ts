import type PDFDocument from 'pdfkit'
import type { Style } from '../content.ts'
import { Pen } from './pen.ts'

/** Draws on the present page of a document. */
export class Canvas {
  readonly #document: PDFDocument
  readonly #pens = new Map<string, Pen>()

  constructor (document: PDFDocument) {
    this.#document = document
  }

  /** The pen for a style. Most texts share a few of them. */
  pen ({ bold, italics, fontSize, color, alignment }: Style): Pen {
    const key = `${bold} ${italics} ${fontSize} ${color} ${alignment}`
    const known = this.#pens.get(key)
    if (known !== undefined) return known
    const pen = new Pen(this.#document, { bold, italics, fontSize, color, alignment })
    this.#pens.set(key, pen)
    return pen
  }

  /** Fills a rectangle. */
  fill (x: number, y: number, width: number, height: number, color: string): void {
    this.#document.rect(x, y, width, height).fill(color)
  }

  /** Draws a horizontal line. */
  line (x: number, y: number, length: number, color: string): void {
    this.#document.lineWidth(0.7).moveTo(x, y).lineTo(x + length, y).stroke(color)
  }
}
