import { price } from '../../resources/declaration/decimals.ts'
import { choice, day, hash, instant, integer, mediaType, reference, text, uuid } from '../../resources/declaration/fields.ts'
import { contracts } from '../contracts/resource.ts'
import { convenios } from '../convenios/resource.ts'
import { estimates } from '../estimates/resource.ts'
import { generadores } from '../generadores/resource.ts'
import { pagos } from '../pagos/resource.ts'
import { cfdiKinds, maxFileBytes, mimeTypes, otherNames } from './types.ts'

/** The longest media type in characters. */
const longestType = 80

const folio = '6128396f-c09b-4ec6-8699-43c5f7e3b230'

/** The fields of an attachment. */
export const fields = {
  contract: reference(contracts).required().fixed()
    .describe('Id of the contract.')
    .filterable('Id of the contract.', '1'),
  estimate: reference(estimates).nullable().fixed().within('contract', 'otherContract').onDelete('cascade')
    .describe('Id of the estimate that the file belongs to, of the same contract, or null.', null)
    .filterable('Id of the estimate, or `null`.', '1'),
  convenio: reference(convenios).nullable().fixed().within('contract', 'otherContract').onDelete('cascade')
    .describe('Id of the change order that the file belongs to, of the same contract, or null.', null)
    .filterable('Id of the change order, or `null`.', 'null'),
  generador: reference(generadores).nullable().fixed().within('contract', 'otherContract').onDelete('cascade')
    .describe('Id of the measurement that the file belongs to, of the same contract, or null.', null)
    .filterable('Id of the measurement, or `null`.', 'null'),
  pago: reference(pagos).nullable().fixed().within('contract', 'otherContract').onDelete('cascade')
    .describe('Id of the payment that the file belongs to, of the same contract, or null.', null)
    .filterable('Id of the payment, or `null`.', 'null'),
  nombre: text(200).required()
    .describe('Name of the file.', 'losa-nivel-3.jpg'),
  descripcion: text(500).default('')
    .describe('Description.', 'Losa del nivel 3 antes del colado'),
  tomada_en: instant().nullable().orderable()
    .describe('Time at which a photo was taken, or null.', '2026-03-14T16:20:00.000000Z'),
  tipo: mediaType(mimeTypes, otherNames, longestType).required().unchangedBy('t.tipo_declarado')
    .describe('Media type of the file. When the server has the bytes, it sets the type that the bytes show.', 'image/jpeg')
    .filterable('Files of this media type.', 'image/jpeg'),
  tipo_declarado: choice(mimeTypes, longestType).nullable().readOnly()
    .describe('The last media type that a client gave for the file, if it differs from `tipo`. Otherwise null.', null),
  bytes: integer(1, maxFileBytes).required().fixed()
    .describe('Size of the file in bytes.', 482113),
  sha256: hash().required().fixed()
    .describe('SHA-256 hash of the file.'),
  estado: choice(['pendiente', 'listo']).readOnly()
    .describe('`pendiente` until the server has the bytes of the file, then `listo`.', 'listo')
    .filterable('Files that are complete (`listo`) or not (`pendiente`).'),
  cfdi_uuid: uuid().nullable().readOnly()
    .describe('Fiscal folio (UUID), if the file is an electronic invoice (CFDI 4.0). Otherwise null.', folio)
    .filterable('Files with this fiscal folio of an invoice, or `null` for files without a fiscal folio.', folio),
  cfdi_tipo: choice(cfdiKinds, 1).nullable().readOnly()
    .describe('Kind of the invoice: `I` income, `E` credit note, `P` payment receipt, `T` transport.', 'I'),
  cfdi_emisor: text(13).nullable().readOnly()
    .describe('RFC of the issuer of the invoice.', 'XAXX010101000'),
  cfdi_receptor: text(13).nullable().readOnly()
    .describe('RFC of the receiver of the invoice.', 'XAXX010101000'),
  cfdi_total: price().nullable().readOnly()
    .describe('Total of the invoice.', '1487.70'),
  cfdi_moneda: text(3).nullable().readOnly()
    .describe('Currency of the invoice, by ISO 4217 code. `XXX` for payment receipts.', 'MXN'),
  cfdi_fecha: day().nullable().readOnly()
    .describe('Day on which the invoice was issued.', '2026-04-02')
}
