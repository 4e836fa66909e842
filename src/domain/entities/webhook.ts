import { defineEntity, p } from '@mikro-orm/core'
import { companies } from '../accounts/companies.ts'
import { tenantWalls } from '../../resources/declaration/table.ts'
import { webhooks } from '../webhooks/resource.ts'

/**
 * Where a webhook continues in the change log, and who delivers now. It has no row-level security, because servers look for the webhooks of
 * all companies that have something to deliver. It contains no business data.
 */
export const WebhookCursor = defineEntity({
  name: 'WebhookCursor',
  tableName: 'webhook_cursors',
  indexes: [{ name: 'webhook_cursors_company_index', properties: ['company'] }],
  properties: {
    webhook: p.manyToOne(webhooks.entity).mapToPk().primary().createForeignKeyConstraint(false).deleteRule('cascade'),
    // The webhook has the foreign key.
    company: p.manyToOne(companies.entity).mapToPk().createForeignKeyConstraint(false),
    activo: p.boolean(),
    /** Host and port of its address. */
    host: p.text().strictNullable(),
    /** All changes up to this revision are delivered. */
    revision: p.bigint('number'),
    /** `position` of a `Cursor`. */
    position: p.json(),
    /** Raised when a user moves the cursor or changes the address. The result of a delivery that began before no longer counts. */
    epoch: p.integer().default(0),
    /** Failed attempts of the delivery that is due, and the time of the first one. */
    failures: p.integer().default(0),
    failing_since: p.datetime(6).strictNullable(),
    next_attempt_at: p.datetime(6).strictNullable(),
    /** Number of attempts for which it still counts as slow. */
    slow_for: p.smallint().default(0),
    /** Revision and position after the delivery that fails. */
    skip_to: p.json().strictNullable(),
    /** The process that delivers, until `leased_until` at most. */
    lease: p.uuid().strictNullable(),
    /** Start of the last lease. */
    leased_at: p.datetime(6).strictNullable(),
    leased_until: p.datetime(6).strictNullable()
  }
})

/** An attempt to deliver, kept for 30 days. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  ...tenantWalls,
  indexes: [
    { name: 'webhook_deliveries_webhook_index', properties: ['company', 'webhook', 'id'] },
    { name: 'webhook_deliveries_created_at_index', properties: ['company', 'created_at'] }
  ],
  properties: {
    id: p.bigint('number').primary(),
    company: p.manyToOne(companies.entity).mapToPk(),
    /** Its id. No foreign key, because the delete of a webhook would delete up to millions of rows. */
    webhook: p.bigint('number'),
    created_at: p.datetime(6).defaultRaw('clock_timestamp()'),
    /** The header `webhook-id`. */
    message: p.string().length(64),
    /** Types of its events, without repetitions. */
    events: p.text(),
    intento: p.integer(),
    estado_http: p.smallint().strictNullable(),
    duracion_ms: p.integer(),
    respuesta: p.text(),
    error: p.text().strictNullable(),
    /** Resource and id of each of its records. Null for attempts of earlier releases. */
    records: p.json().strictNullable()
  }
})
