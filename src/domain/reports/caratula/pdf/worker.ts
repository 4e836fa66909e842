import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import pdfmake from 'pdfmake'
import type { Language } from '../../../../http/messages.ts'
import type { CaratulaFigures } from '../schemas.ts'
import { caratulaDocument } from './document.ts'

const require = createRequire(import.meta.url)
const fonts = 'pdfmake/fonts/Roboto.js'

pdfmake.setFonts(require(fonts))
// A document refers to nothing but its fonts.
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy(path => path.startsWith(dirname(require.resolve(fonts))))

/** A report to draw. */
export interface Drawn {
  report: CaratulaFigures
  language: Language
}

/** Draws a report as PDF, in a thread of its own: it takes too long for the thread that answers requests. */
export default async function draw ({ report, language }: Drawn): Promise<Uint8Array> {
  return await pdfmake.createPdf(caratulaDocument(report, language)).getBuffer()
}
