import { defineEntity, p } from '@mikro-orm/core'
import { tenantWalls } from '../../resources/declaration/table.ts'
import { companies } from '../accounts/companies.ts'
import { adjuntos } from '../adjuntos/resource.ts'

/** The bytes that a company has stored, by their hash (decision 62). Attachments with the same values are `listo`. */
export const StoredFile = defineEntity({
  name: 'StoredFile',
  tableName: 'stored_files',
  ...tenantWalls,
  indexes: [
    { name: 'stored_files_bytes_index', properties: ['company'], include: ['bytes'] },
    { name: 'stored_files_unused_index', properties: ['company', 'unused_since'], where: 'unused_since is not null' }
  ],
  properties: {
    company: p.manyToOne(companies.entity).mapToPk().primary(),
    sha256: p.string().length(64).primary(),
    bytes: p.integer(),
    tipo: p.string().length(80),
    /** What was read of an electronic invoice. Its attachments have the same in their columns `cfdi_…`. */
    cfdi: p.json().strictNullable(),
    /** When the last attachment was deleted. */
    unused_since: p.datetime(6).strictNullable(),
    /** The bytes may be gone already. No attachment becomes `listo` with them. */
    removing: p.boolean().default(false)
  }
})

/** An upload that is not complete. It reserves its bytes, and names the bytes that it may leave behind if its process is killed. */
export const Upload = defineEntity({
  name: 'Upload',
  tableName: 'uploads',
  ...tenantWalls,
  indexes: [{ name: 'uploads_begun_at_index', properties: ['company', 'begun_at'] }],
  uniques: [{ name: 'uploads_adjunto_unique', properties: ['company', 'adjunto'], where: 'adjunto_id is not null' }],
  properties: {
    id: p.uuid().primary(),
    company: p.manyToOne(companies.entity).mapToPk(),
    sha256: p.string().length(64),
    bytes: p.integer(),
    begun_at: p.datetime(6).defaultRaw('clock_timestamp()'),
    /** When the last part of a resumable upload ended. */
    active_at: p.datetime(6).strictNullable(),
    /** The attachment of a resumable upload, which outlives its requests. The row also leads to the bytes of a deleted attachment. */
    adjunto: p.manyToOne(adjuntos.entity).mapToPk().strictNullable().createForeignKeyConstraint(false).deleteRule('set null (adjunto_id)')
  }
})
