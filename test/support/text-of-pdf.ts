import { extractText } from 'unpdf'

/** The text of a PDF document, with single blanks between its parts. */
export async function textOfPdf (pdf: Buffer): Promise<string> {
  const { text } = await extractText(new Uint8Array(pdf), { mergePages: true })
  return text.replaceAll(/\s+/g, ' ')
}
