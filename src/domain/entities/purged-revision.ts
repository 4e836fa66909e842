import { defineEntity, p } from '@mikro-orm/core'
import { companies } from '../accounts/companies.ts'
import { tenantWalls } from '../../resources/declaration/table.ts'

/**
 * Revisions without entries in `changes`: those whose entries have been purged, and those of a company's new name. A cursor at such a
 * revision is still recognized, or refused if a delete after it has been purged. Only the purge and a trigger write here.
 */
export const PurgedRevision = defineEntity({
  name: 'PurgedRevision',
  tableName: 'purged_revisions',
  ...tenantWalls,
  indexes: [
    { name: 'purged_revisions_purged_at_index', properties: ['company', 'purged_at'] },
    { name: 'purged_revisions_deletes_index', properties: ['company', 'revision'], where: 'has_deletes' }
  ],
  properties: {
    company: p.manyToOne(companies.entity).mapToPk().primary().createForeignKeyConstraint(false),
    revision: p.bigint('number').primary(),
    stamp: p.bigint('number').primary(),
    has_deletes: p.boolean(),
    purged_at: p.datetime(6).defaultRaw('clock_timestamp()')
  }
})
