import { extractText } from 'unpdf'

/** The text of each page of a PDF document, with single blanks between its parts. */
export async function pagesOfPdf (pdf: Buffer): Promise<string[]> {
  const { text } = await extractText(new Uint8Array(pdf), { mergePages: false })
  return text.map(page => page.replaceAll(/\s+/g, ' '))
}

/** The text of a PDF document. */
export async function textOfPdf (pdf: Buffer): Promise<string> {
  return (await pagesOfPdf(pdf)).join(' ')
}
