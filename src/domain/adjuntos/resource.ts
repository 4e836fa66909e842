import { keyedRow } from '../../database/turns/keyed-row.ts'
import { defineResource } from '../define.ts'
import { fields } from './fields.ts'

/** SQL over an estimate `e`: its files stay. */
const isAuthorized = "e.estado = any (array['autorizada', 'pagada'])"

const estimateOf = (record: string) => keyedRow('id', {
  table: 'estimates', as: 'e', company: `${record}.company_id`, value: `${record}.estimate_id`, where: isAuthorized
})

/** SQL over `t`: the file is complete and belongs to a record that is authorized or signed. */
const isKept = `t.estado = 'listo' and (
  exists ${estimateOf('t')}
  or exists ${keyedRow('id', {
    table: 'generadores', as: 'g', company: 't.company_id', value: 't.generador_id', where: `exists ${estimateOf('g')}`
  })}
  or exists ${keyedRow('id', {
    table: 'convenios', as: 'v', company: 't.company_id', value: 't.convenio_id', where: "v.estado = 'firmado'"
  })})`

/** SQL condition: the file is an invoice of an estimate. */
const isInvoice = (row: string) => `${row}.estimate_id is not null and ${row}.cfdi_tipo = 'I'`

/** Files of contracts and their records. The bytes follow at `contenido/`. */
export const adjuntos = defineResource({
  name: 'adjuntos',
  title: 'Adjunto',
  one: 'an attachment',
  many: 'attachments',
  about: 'Attachments: files of contracts, estimates, change orders, measurements and payments',
  spanish: { one: 'un adjunto', many: 'adjuntos' },
  access: { read: 'read', write: 'edit', remove: 'edit' },
  fields,
  search: { columns: ['nombre', 'descripcion'] },
  table: {
    checks: [
      { name: 'adjuntos_estado_check', expression: "estado = any (array['pendiente', 'listo'])" },
      {
        name: 'adjuntos_cfdi_check',
        expression: 'num_nonnulls(cfdi_uuid, cfdi_tipo, cfdi_emisor, cfdi_receptor, cfdi_total, cfdi_moneda, cfdi_fecha) in (0, 7)'
      }
    ],
    indexes: [
      { name: 'adjuntos_sha256_index', properties: ['company', 'sha256'] },
      { name: 'adjuntos_pending_index', properties: ['company', 'created_at'], where: "estado = 'pendiente'" },
      { name: 'adjuntos_cfdi_uuid_index', properties: ['company', 'cfdi_uuid'], where: 'cfdi_uuid is not null' },
      { name: 'adjuntos_invoices_index', properties: ['company', 'estimate', 'id'], where: "cfdi_tipo = 'I'" }
    ],
    triggers: {
      keep_estado_insert: { fires: 'before insert', calls: 'keep_file_state' },
      keep_estado_update: { fires: 'before update', when: 'new.estado <> old.estado or new.tipo <> old.tipo', calls: 'keep_file_state' },
      fill_invoice_insert: { fires: 'after insert', when: isInvoice('new'), calls: 'fill_invoice' },
      fill_invoice_update: { fires: 'after update', when: `${isInvoice('new')} and old.cfdi_tipo is null`, calls: 'fill_invoice' },
      release_files: { fires: 'after delete', rows: 'old table as old_rows' }
    }
  },
  kept: { sql: isKept, key: 'fileNotDeletable', name: 'adjuntos_kept' },
  routes: {
    remove: {
      description: 'A complete file cannot be deleted (409) if it belongs to an authorized or paid estimate, ' +
        'to one of its lines, or to a signed change order.'
    }
  },
  examples: {
    create: {
      contract: 2,
      nombre: 'losa-nivel-3.jpg',
      descripcion: 'Losa del nivel 3 antes del colado',
      tomada_en: '2026-03-14T16:20:00Z',
      tipo: 'image/jpeg',
      bytes: 482113,
      sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      external_id: 'ERP-4711'
    },
    patch: { descripcion: 'Losa del nivel 3, ejes A-C' }
  }
})
