import { fileParts } from '../../files/streams.ts'

/** Markup with which a document defines entities, or names a style sheet that can be a program. */
const activeMarkup = /<!(?:doctype|entity)|<\?xml-stylesheet/i

/** The namespaces whose elements can be scripts. */
const activeNamespaces = /www\.w3\.org\/(?:1999\/xhtml|2000\/svg)/i

/** Characters of the end of a part that are searched again with the next one: more than a namespace of character references. */
const overlap = 256

/** Whether browsers could run scripts of an XML file in an encoding like ASCII. Reads it with constant memory. */
export async function isActive (path: string): Promise<boolean> {
  let rest = ''
  for await (const part of fileParts(path)) {
    const text = shortened(rest + part.toString('latin1'))
    if (activeMarkup.test(text) || activeNamespaces.test(decoded(text))) return true
    rest = text.slice(-overlap)
  }
  return false
}

/** Without the leading zeros of character references, whose number has no limit. */
function shortened (text: string): string {
  return text.replace(/&#(x?)0+/gi, '&#$1')
}

/** With the characters of ASCII instead of their references: parsers compare namespaces afterwards. */
function decoded (text: string): string {
  return text.replace(/&#(?:x([0-9a-f]{2})|(\d{2,3}));/gi, (_, hex?: string, decimal?: string) =>
    String.fromCharCode(hex === undefined ? Number(decimal) : parseInt(hex, 16)))
}
