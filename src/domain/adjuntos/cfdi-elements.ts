import { limits } from '../../config/limits.ts'
import { fileParts } from '../../files/streams.ts'
import { codeOf } from '../../files/errors.ts'

/** Bytes that are parsed at once, so that other requests wait for at most a few milliseconds. */
const chunkBytes = 16 * 1024

/** More would only cost memory and time. Invoices nest about 10 elements, and an element has about 40 attributes. */
const { levels: maxDepth, attributes: maxAttributes } = limits.files

/**
 * Maximum number of characters that the parser treats one by one, in a file and after one `<`. Each takes more time and memory than other
 * characters, until the parser has the end of the attribute, comment or section. An invoice as large as the largest file, with 55,000
 * concepts, has 880,000. A document of 5 MiB in an addenda has 184,000 together, if its lines end with CRLF.
 */
const maxMarks = limits.files.marks
const maxMarksTogether = 200_000
const isMark = new Uint8Array(128)
for (const mark of '<&]-?\t\n\r') isMark[mark.charCodeAt(0)] = 1
const opening = '<'.charCodeAt(0)

const cfd = 'http://www.sat.gob.mx/cfd/4'
const tfd = 'http://www.sat.gob.mx/TimbreFiscalDigital'

/** The elements to read, by their path. An addenda can have elements of the same names elsewhere. */
const names: Record<string, keyof Attributes | undefined> = {
  [pathOf([cfd, 'Comprobante'])]: 'comprobante',
  [pathOf([cfd, 'Comprobante'], [cfd, 'Emisor'])]: 'emisor',
  [pathOf([cfd, 'Comprobante'], [cfd, 'Receptor'])]: 'receptor',
  [pathOf([cfd, 'Comprobante'], [cfd, 'Complemento'], [tfd, 'TimbreFiscalDigital'])]: 'timbre'
}

/** A group of related invoices, and one of them. */
const relations = pathOf([cfd, 'Comprobante'], [cfd, 'CfdiRelacionados'])
const related = pathOf([cfd, 'Comprobante'], [cfd, 'CfdiRelacionados'], [cfd, 'CfdiRelacionado'])

/** The kind of relation of an invoice that replaces others (catalogue c_TipoRelacion). */
const substitution = '04'

/** More are not read. A substitute usually replaces one invoice. */
const maxReplaced = 100

/** The attributes of elements, by the name of the element. */
type Attributes = Record<'comprobante' | 'emisor' | 'receptor' | 'timbre', Record<string, string>>

/** The elements of an invoice, and the UUIDs of the invoices that it replaces. */
type Elements = Partial<Attributes> & { replaced: string[] }

/**
 * Reads the elements of an invoice that Obra needs, with any prefixes. The parser expands no entities of documents.
 * @param path of an XML file
 * @param encoding a name that `TextDecoder` knows
 * @returns nothing if the file is not well-formed, or has another root element, or one of the elements twice
 */
export async function elementsOf (path: string, encoding: string): Promise<Elements | undefined> {
  // Loaded on the first use.
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ xmlns: true, position: false })
  const found: Elements = { replaced: [] }
  const open: string[] = []
  const state: { isRefused: boolean } = { isRefused: false }
  let relation: string | undefined
  let attributes = 0
  const marks = new Marks()
  const refuse = () => { state.isRefused = true }
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('attribute', () => { if (++attributes > maxAttributes) refuse() })
  parser.on('opentag', (tag) => {
    attributes = 0
    open.push(partOf(tag.uri, tag.local))
    const path = open.length > 3 ? '' : open.join('')
    const name = names[path]
    if (open.length > maxDepth || (open.length === 1 && name === undefined)) refuse()
    if (name === undefined && path !== relations && path !== related) return
    const own = Object.fromEntries(
      Object.values(tag.attributes).filter(({ prefix }) => prefix === '').map(({ local, value }) => [local, value])
    )
    if (path === relations) relation = own['TipoRelacion']?.trim()
    if (path === related && relation === substitution && found.replaced.length < maxReplaced) found.replaced.push(own['UUID'] ?? '')
    if (name === undefined) return
    if (found[name] !== undefined) refuse()
    found[name] = own
  })
  parser.on('closetag', () => { open.pop() })
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const part of fileParts(path, chunkBytes)) {
      const text = decoder.decode(part, { stream: true })
      if (!marks.take(text)) return undefined
      parser.write(text)
      if (state.isRefused) return undefined
    }
    parser.write(decoder.decode()).close()
  } catch (error) {
    // Bytes that are not of the encoding.
    if (codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA') return undefined
    throw error
  }
  return state.isRefused ? undefined : found
}

/** Counts the characters that the parser treats one by one. */
class Marks {
  #all = 0
  #together = 0

  /** Counts those of the next part of a file. @returns whether they are within the limits */
  take (text: string): boolean {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (isMark[code] !== 1) continue
      if (code === opening) this.#together = 0
      this.#all++
      this.#together++
      if (this.#together > maxMarksTogether) return false
    }
    return this.#all <= maxMarks
  }
}

function pathOf (...elements: Array<[namespace: string, name: string]>): string {
  return elements.map(([namespace, name]) => partOf(namespace, name)).join('')
}

/** An element of a path. Names of elements have no braces, so paths of different elements differ. */
function partOf (namespace: string, name: string): string {
  return `{${namespace}}${name}`
}
