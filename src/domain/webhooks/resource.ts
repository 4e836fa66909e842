import { Type } from '@sinclair/typebox'
import { limits } from '../../config/limits.ts'
import { boolean, choices, integer, internal, text } from '../../resources/declaration/fields.ts'
import { defineResource } from '../define.ts'
import { usualOf } from '../../resources/feed/cursor.ts'
import { resources } from '../resources.ts'
import { newSecret, requireSecrets } from './secrets.ts'
import { normalizedUrl, urlProblem } from './target.ts'

const eventTypesOf = (names: string[]) => names.flatMap(name => ['created', 'updated', 'deleted'].map(change => `${name}.${change}`))

/** Event types: `contracts.created`, `contracts.updated`, `contracts.deleted`, and so on. */
export const eventTypes = eventTypesOf(resources.map(({ name }) => name))

/** Event types of a webhook that names none. */
export const usualEventTypes = eventTypesOf(usualOf(resources))

const usualEvents = usualEventTypes.length === eventTypes.length ? 'all' : `those of ${usualOf(resources).join(', ')}`

/** Most webhooks of a company. */
const mostWebhooks = limits.webhooks.ofCompany

/** SQL: the number of webhooks of the company. */
const present = '(select count(*) from webhooks w where w.company_id = n.company_id)'

/** The secret that signs deliveries, in the answers to creation and rotation. */
const Secret = Type.String({
  description: 'Secret that signs the deliveries (Standard Webhooks). Shown only once.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']
})

/** Webhooks: addresses of other systems to which the service sends every change of the company's records. */
export const webhooks = defineResource({
  name: 'webhooks',
  title: 'Webhook',
  one: 'a webhook',
  many: 'webhooks',
  about: 'Deliveries of changes to other systems',
  spanish: { one: 'un webhook', many: 'webhooks' },
  access: { read: 'webhooks', write: 'webhooks', remove: 'webhooks' },
  fields: {
    url: text(2048).required()
      .describe(
        'Address that receives the deliveries: `https`, with a public host. ' +
          'A company can have one webhook for each address. Answers have the normalized URL.',
        'https://erp.obra.example/obra'
      ),
    events: choices('events', eventTypes, usualEventTypes)
      .describe(`Changes that are delivered. Default: ${usualEvents}.`, ['contracts.created', 'contracts.updated']),
    descripcion: text(200).default('')
      .describe('Description.', 'ERP'),
    batch: integer(1, limits.webhooks.batch).default(1)
      .describe('Maximum number of changes in one delivery. Above 1, `data` of a delivery is a list.', 1),
    activo: boolean().default(true)
      .describe('Whether changes are delivered. The service switches it off after five days of failures, or after an answer 410.')
      .filterable('Active (`true`) or inactive (`false`) webhooks.'),
    motivo_inactivo: text(200).readOnly().nullable()
      .describe('Why the service has switched the webhook off. Null if it has not.', null),
    secrets: internal()
  },
  search: { columns: ['url', 'descripcion'] },
  constraints: [{
    field: 'non_field_errors',
    key: 'tooManyWebhooks',
    only: 'new',
    sql: `${present} >= ${mostWebhooks}`
  }, {
    field: 'url',
    key: 'webhookUrlTaken',
    dependsOn: ['url'],
    onceAmong: 'true',
    // Webhooks of earlier releases can have the same address. They can change as long as they keep it.
    sql: `o.url is distinct from n.url
      and exists (select from webhooks w where w.company_id = n.company_id and w.url = n.url and w.id is distinct from n.id)`
  }],
  clashes: `${present} + row_number() over (partition by n.company_id order by n.i) > ${mostWebhooks}`,
  table: {
    triggers: {
      add_webhook_cursor: { fires: 'after insert' },
      keep_webhook_host: { fires: 'after insert or update of url' },
      clear_motivo_inactivo: { fires: 'before update of activo', when: 'new.activo and not old.activo' },
      retry_webhook: { fires: 'after update of url, activo', when: 'old.url <> new.url or old.activo <> new.activo' }
    }
  },
  once: {
    field: 'secret',
    schema: Secret,
    sealedIn: 'secrets',
    open: ({ server }, sealed) => server.webhooks.secrets?.open(sealed)?.at(-1)?.secret ?? ''
  },
  examples: {
    create: { url: 'https://erp.obra.example/obra', events: ['contracts.created', 'contracts.updated'], descripcion: 'ERP' },
    patch: { activo: true }
  },

  /** Checks and normalizes the address, and makes the secret of a new webhook. */
  async prepare ({ method, server }, input) {
    const { secrets, targets } = server.webhooks
    const { url } = input.values
    const problem = url === undefined ? undefined : urlProblem(url, targets)
    const normalized = url === undefined || problem !== undefined
      ? input
      : { ...input, values: { ...input.values, url: normalizedUrl(url) } }
    const checked = problem === undefined ? normalized : { ...input, problems: [...input.problems, { field: 'url', key: problem }] }
    if (method !== 'POST') return checked
    return { ...checked, values: { ...checked.values, secrets: requireSecrets(secrets).seal([{ secret: newSecret(), until: null }]) } }
  }
})
