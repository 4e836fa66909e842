import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../unit/domain/adjuntos/cfdi')

/** A sample of an electronic invoice as the tax authority's schema prescribes. Names, certificates and seals are invented. */
export function sample (name: string): Buffer {
  return readFileSync(join(folder, `${name}.xml`))
}

/** The values of the sample `ingreso`, which are those of an estimate of 1500.00 with an advance of 10 % and a retention of 5 %. */
export const ingreso = {
  uuid: '04BF2854-FE7D-4377-9196-71248F060ABB',
  tipo: 'I',
  emisor: 'CPB010203AB1',
  receptor: 'CEJ020304CD2',
  total: '1487.70',
  moneda: 'MXN'
}

/** The attributes with these values, and a part of the text before the value. */
const attributes: Record<keyof typeof ingreso, string> = {
  uuid: ' UUID="', tipo: ' TipoDeComprobante="', emisor: '<cfdi:Emisor Rfc="', receptor: '<cfdi:Receptor Rfc="', total: ' Total="', moneda: ' Moneda="'
}

/** An invoice like the sample `ingreso`, with other values. @param relations elements of related invoices */
export function invoiceWith (changes: Partial<typeof ingreso>, relations = ''): Buffer {
  const given = Object.entries(changes) as Array<[keyof typeof ingreso, string]>
  return Buffer.from(given.reduce((text, [name, value]) => {
    const before = attributes[name]
    if (!text.includes(before + ingreso[name])) throw new Error(`the sample has no ${name}`)
    return text.replace(before + ingreso[name], before + value)
  }, sample('ingreso').toString().replace('<cfdi:Emisor', `${relations}<cfdi:Emisor`)))
}

/** Relations of an invoice to others. @param tipo a code of c_TipoRelacion, `04` for a substitute */
export function relatedTo (tipo: string, ...uuids: string[]): string {
  return `<cfdi:CfdiRelacionados TipoRelacion="${tipo}">${uuids.map(uuid => `<cfdi:CfdiRelacionado UUID="${uuid}"/>`).join('')}</cfdi:CfdiRelacionados>`
}
