import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import type PDFDocument from 'pdfkit'
import type { Style } from '../content.ts'

const fonts = dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/roboto/package.json'))

/** The files of the fonts, by their names in a document. */
export const fontFiles = Object.fromEntries((['Regular', 'Medium', 'Regular_Italic', 'Medium_Italic'] as const).map((name) => {
  const weight = name.startsWith('Regular') ? 400 : 500
  return [name, join(fonts, `${weight}${name}`, `Roboto_${weight}${name}.ttf`)]
}))

/**
 * pdfkit keeps the glyphs of each word, unless it gets features. Long words hardly ever repeat, and thousands of them would take more
 * memory than a thread has.
 */
const layoutOf = (text: string) => /[^ ]{40}/.test(text) ? { features: [] } : {}

/** Writes texts of one style, and measures them. */
export class Pen {
  readonly #document: PDFDocument
  readonly #font: string
  readonly #size: number
  readonly #color: string
  readonly #alignment: Style['alignment']
  /** Height of a line in points. */
  readonly lineHeight: number
  readonly #space: number
  readonly #widths = new Map<string, number>()

  constructor (document: PDFDocument, { bold = false, italics = false, fontSize = 9, color = 'black', alignment }: Style) {
    this.#document = document
    this.#font = `${bold ? 'Medium' : 'Regular'}${italics ? '_Italic' : ''}`
    this.#size = fontSize
    this.#color = color
    this.#alignment = alignment
    this.lineHeight = document.font(this.#font).fontSize(fontSize).currentLineHeight(true)
    this.#space = this.widthOf(' ')
  }

  /** The width of a text in one line, in points. */
  widthOf (text: string): number {
    const known = this.#widths.get(text)
    if (known !== undefined) return known
    const width = this.#document.font(this.#font).fontSize(this.#size).widthOfString(text, layoutOf(text))
    this.#widths.set(text, width)
    return width
  }

  /** The width of the longest line of a text that is not broken. */
  widthOfLines (text: string): number {
    return Math.max(...text.split('\n').map(line => this.widthOf(line)))
  }

  /** Breaks a text at spaces. A word that is wider than a line breaks anywhere. @param width of a line in points @returns its lines */
  linesOf (text: string, width: number): string[] {
    return text.split('\n').flatMap(paragraph => this.widthOf(paragraph) <= width ? [paragraph] : this.#broken(paragraph, width))
  }

  #broken (paragraph: string, width: number): string[] {
    const lines: string[] = []
    let line = ''
    let taken = 0
    for (const word of paragraph.match(/[^ ]+ *| +/g) ?? []) {
      for (const part of this.#parts(word, width)) {
        const [all, letters] = this.#widthsOf(part)
        if (line !== '' && taken + letters > width) {
          lines.push(line.trimEnd())
          line = ''
          taken = 0
        }
        line += part
        taken += all
      }
    }
    return [...lines, line.trimEnd()]
  }

  /** The parts of a word that are not wider than a line. */
  #parts (word: string, width: number): string[] {
    if (this.#widthsOf(word)[1] <= width) return [word]
    const parts = ['']
    let taken = 0
    for (const letter of word) {
      const wide = this.widthOf(letter)
      if (parts.at(-1) !== '' && taken + wide > width) {
        parts.push('')
        taken = 0
      }
      parts[parts.length - 1] += letter
      taken += wide
    }
    return parts
  }

  /** The width of a word with the spaces after it, and without. */
  #widthsOf (word: string): [all: number, letters: number] {
    const all = this.widthOf(word)
    return [all, all - (word.length - word.trimEnd().length) * this.#space]
  }

  /** Writes a line. @param x the left edge of its column @param y its upper edge @param width of the column */
  write (line: string, x: number, y: number, width: number): void {
    if (line === '') return
    const rest = this.#alignment === undefined || this.#alignment === 'left' ? 0 : width - this.widthOf(line)
    this.#document.font(this.#font).fontSize(this.#size).fillColor(this.#color)
      .text(line, x + (this.#alignment === 'center' ? rest / 2 : rest), y, { lineBreak: false, ...layoutOf(line) })
  }
}
