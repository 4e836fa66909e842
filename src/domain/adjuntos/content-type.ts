import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { isActive } from './active-xml.ts'
import { fileTypes, otherNames, type FileType } from './types.ts'

/** Bytes within which the root element of an XML file must begin and end its start tag. */
const maxProlog = 64 * 1024

/** Encodings in which the prolog reads like ASCII. */
const encodings = /^(?:utf-8|us-ascii|iso-8859-1|iso-8859-15|windows-1252)$/i

/**
 * The media type of a file, from its bytes. Browsers run scripts in HTML and SVG, so no XML file can be one of them.
 * @returns nothing if Obra does not take such files
 */
export async function typeOf (path: string): Promise<FileType | undefined> {
  const found: string = (await fileTypeFromFile(path))?.mime ?? 'application/xml'
  const type = otherNames[found] ?? found
  if (type === 'application/xml') return isXml(await beginningOf(path)) && !await isActive(path) ? type : undefined
  return isFileType(type) ? type : undefined
}

function isFileType (type: string): type is FileType {
  return Object.hasOwn(fileTypes, type)
}

/** The encoding of an XML file. @returns nothing for another encoding than those of {@link typeOf} */
export async function encodingOf (path: string): Promise<string | undefined> {
  const encoding = declaredEncoding(await beginningOf(path))
  return encodings.test(encoding) ? encoding : undefined
}

async function beginningOf (path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxProlog), 0, maxProlog, 0)
    return buffer.subarray(0, bytesRead).toString('latin1').replace(/^\xef\xbb\xbf/, '')
  } finally {
    await file.close()
  }
}

/** Whether a text begins with the root element of an XML document. */
function isXml (text: string): boolean {
  const start = rootStart(text)
  const [, name] = /^<(?:[\w.-]+:)?([a-z_][\w.-]*)[\s/>]/i.exec(text.slice(start, start + 300)) ?? []
  return name !== undefined && text.includes('>', start) && encodings.test(declaredEncoding(text)) && !/^(?:html|svg)$/i.test(name)
}

function declaredEncoding (text: string): string {
  return /^<\?xml\s[^?>]*?\bencoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1] ?? 'utf-8'
}

/** The index of the first tag that is neither a comment nor a processing instruction. */
function rootStart (text: string): number {
  let index = 0
  while (true) {
    while (' \t\r\n'.includes(text.charAt(index)) && index < text.length) index++
    const [opening, ending] = [['<?', '?>'], ['<!--', '-->']].find(([opening = '']) => text.startsWith(opening, index)) ?? []
    if (opening === undefined || ending === undefined) return index
    const end = text.indexOf(ending, index + opening.length)
    if (end < 0) return index
    index = end + ending.length
  }
}
