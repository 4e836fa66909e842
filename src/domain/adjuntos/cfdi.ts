import { plainText } from '../../resources/validation/convert.ts'
import { isDate } from '../../resources/validation/formats.ts'
import { elementsOf } from './cfdi-elements.ts'
import { encodingOf } from './content-type.ts'
import { cfdiKinds } from './types.ts'

/** What Obra reads of an electronic invoice (CFDI 4.0). */
export interface Cfdi {
  uuid: string
  tipo: typeof cfdiKinds[number]
  emisor: string
  receptor: string
  /** Total in the currency `moneda`, with up to six places. */
  total: string
  moneda: string
  /** Day of issue, local to its place. */
  fecha: string
  /** The invoices that it replaces. Missing without any. */
  sustituye?: string[]
}

// Patterns of the tax authority's schemas cfdv40.xsd, tdCFDI.xsd and TimbreFiscalDigitalv11.xsd. Amounts have up to 18 digits there.
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const rfcPattern = /^[A-ZÑ&]{3,4}\d{2}(?:0[1-9]|1[012])(?:0[1-9]|[12]\d|3[01])[A-Z0-9]{2}[0-9A]$/
const amountPattern = /^\d{1,12}(?:\.\d{1,6})?$/
const timePattern = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d$/

/**
 * Reads an electronic invoice. Verifies neither its seal nor its state with the tax authority.
 * @param path of an XML file
 * @returns nothing for other XML, other versions than 4.0, payrolls, invoices without the stamp of the tax authority, and files with more
 * markup than an invoice
 */
export async function readCfdi (path: string): Promise<Cfdi | undefined> {
  const encoding = await encodingOf(path)
  if (encoding === undefined) return undefined
  const elements = await elementsOf(path, encoding)
  if (elements === undefined) return undefined
  const { comprobante, emisor, receptor, timbre, replaced } = elements
  if (comprobante === undefined || emisor === undefined || receptor === undefined || timbre === undefined) return undefined
  if (valueOf(comprobante, 'Version') !== '4.0') return undefined
  const [, fecha = ''] = timePattern.exec(valueOf(comprobante, 'Fecha')) ?? []
  const tipo = cfdiKinds.find(kind => kind === valueOf(comprobante, 'TipoDeComprobante'))
  if (tipo === undefined) return undefined
  const cfdi: Cfdi = {
    uuid: valueOf(timbre, 'UUID').toLowerCase(),
    tipo,
    emisor: valueOf(emisor, 'Rfc'),
    receptor: valueOf(receptor, 'Rfc'),
    total: valueOf(comprobante, 'Total'),
    moneda: valueOf(comprobante, 'Moneda'),
    fecha
  }
  const sustituye = replaced.map(uuid => uuid.trim().toLowerCase()).filter(uuid => uuidPattern.test(uuid))
  if (sustituye.length > 0) cfdi.sustituye = sustituye
  return isValid(cfdi) ? cfdi : undefined
}

/** Characters of the longest value that is read. A longer one is none of an invoice. */
const maxValue = 255

function valueOf (attributes: Record<string, string>, name: string): string {
  const value = attributes[name] ?? ''
  return value.length > maxValue ? '' : plainText(value) ?? ''
}

function isValid ({ uuid, tipo, emisor, receptor, total, moneda, fecha }: Cfdi): boolean {
  return uuidPattern.test(uuid) && cfdiKinds.includes(tipo) && rfcPattern.test(emisor) && rfcPattern.test(receptor) &&
    amountPattern.test(total) && /^[A-Z]{3}$/.test(moneda) && isDate(fecha)
}
