import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import type { Language } from '../../../http/messages.ts'
import { muted, watermark as pale } from './colors.ts'
import type { Sheet } from './content.ts'
import { locales, wrapped } from './formats.ts'
import { blocksOf } from './layout/blocks.ts'
import { Canvas } from './layout/canvas.ts'
import { fill } from './layout/flow.ts'
import { fontFiles } from './layout/pen.ts'

/** Margins of a page in points, and the space between its content and the text at its foot. */
const [margin, bottom, footGap] = [42, 50, 14]

/** Width in points of the number of a page. */
const numberWidth = 90

const pageOf = {
  es: (current: number, all: number) => `Página ${current} de ${all}`,
  en: (current: number, all: number) => `Page ${current} of ${all}`
} satisfies Record<Language, object>

/** The bytes of a document. */
export async function rendered (sheet: Sheet): Promise<Uint8Array> {
  const { language, company, title, folio, content, watermark } = sheet
  const document = new PDFDocument({
    size: 'LETTER',
    margin: 0,
    autoFirstPage: false,
    // The number of pages is on each of them.
    bufferPages: true,
    lang: locales[language],
    info: { Title: `${title}, ${folio}`, Author: company },
    displayTitle: true,
    // A default that is one of the named fonts would be read again for each text.
    font: null
  })
  for (const [name, path] of Object.entries(fontFiles)) document.registerFont(name, path)
  const bytes = buffer(document)
  const canvas = new Canvas(document)
  let pages = 0
  const turnTo = (page: number) => {
    if (page < pages) return document.switchToPage(page)
    document.addPage()
    pages++
    if (watermark !== undefined) across(document, canvas, watermark)
  }
  turnTo(0)
  const { width, height } = document.page
  fill({ top: margin, bottom: height - bottom, turnTo }, blocksOf(canvas, content, width - 2 * margin), margin, { page: 0, y: margin })
  for (let page = 0; page < pages; page++) {
    document.switchToPage(page)
    foot(document, canvas, sheet, pageOf[language](page + 1, pages))
  }
  document.end()
  return await bytes
}

/** Writes the folio, the title and the number of a page at its foot. */
function foot ({ page: { width, height } }: PDFDocument, canvas: Canvas, { folio, title }: Sheet, number: string): void {
  const style = { fontSize: 8, color: muted } as const
  const [pen, right] = [canvas.pen(style), canvas.pen({ ...style, alignment: 'right' })]
  const content = width - 2 * margin
  const y = height - bottom + footGap
  for (const [index, line] of pen.linesOf(wrapped(`${folio} · ${title}`), content - numberWidth).entries()) {
    pen.write(line, margin, y + index * pen.lineHeight, content)
  }
  right.write(number, margin + content - numberWidth, y, numberWidth)
}

/** Writes a text from the lower left to the upper right corner, as large as the page allows. */
function across (document: PDFDocument, canvas: Canvas, text: string): void {
  const { width, height } = document.page
  const angle = Math.atan(height / width)
  const pen = canvas.pen({ bold: true, fontSize: 100, color: pale })
  const [long, high] = [pen.widthOf(text), pen.lineHeight]
  const fontSize = 100 * Math.min(
    width / (long * Math.cos(angle) + high * Math.sin(angle)),
    height / (long * Math.sin(angle) + high * Math.cos(angle)))
  const large = canvas.pen({ bold: true, fontSize, color: pale })
  const origin: [x: number, y: number] = [width / 2, height / 2]
  document.save().rotate(-angle * 180 / Math.PI, { origin }).fillOpacity(0.15)
  large.write(text, (width - large.widthOf(text)) / 2, (height - large.lineHeight) / 2, large.widthOf(text))
  document.restore()
}
