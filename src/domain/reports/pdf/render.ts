import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import pdfmake, { type DocumentDefinition } from 'pdfmake'

const require = createRequire(import.meta.url)
const fonts = 'pdfmake/fonts/Roboto.js'

pdfmake.setFonts(require(fonts))
// A document refers to nothing but its fonts.
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy(path => path.startsWith(dirname(require.resolve(fonts))))

/** The bytes of a document. */
export async function rendered (document: DocumentDefinition): Promise<Uint8Array> {
  return await pdfmake.createPdf(document).getBuffer()
}
