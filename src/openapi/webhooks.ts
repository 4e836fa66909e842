import { limits } from '../config/limits.ts'
import { resources } from '../domain/resources.ts'
import type { Schema, Standard } from './standard.ts'

/** A schema of the document. */
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** An object whose fields are all required, except these. */
function object (description: string, properties: Record<string, Schema>, optional: string[] = []): Schema {
  return { type: 'object', description, required: Object.keys(properties).filter(name => !optional.includes(name)), properties }
}

const timestamp = { type: 'string', format: 'date-time', description: 'Time of the commit.', examples: ['2026-03-02T16:20:05.123456Z'] }
const company = { type: 'integer', description: 'Company of the record.', minimum: 1, examples: [1] }

/** A header of Standard Webhooks. */
const header = (name: string, description: string, example: string): Schema =>
  ({ name, in: 'header', required: true, description, schema: { type: 'string' }, example })

/** The headers of a delivery, by name of their component. */
export const webhookParameters = {
  WebhookId: header('webhook-id', 'Id of the delivery, also of its retries. Ignore an id that you have stored.', 'msg_bC3D4xLq0Zt8mO2v'),
  WebhookTimestamp: header('webhook-timestamp', 'Time of the attempt, in seconds since 1970.', '1772468405'),
  WebhookSignature: header(
    'webhook-signature', 'Signatures by Standard Webhooks, with a space between them.', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='
  )
}

/** Webhooks of the document: what the service sends to receivers, by type of event. Their schemas become components. */
export function webhooksOf (standard: Standard): Record<string, Schema> {
  const paths: Record<string, Schema> = {}
  const { components } = standard
  for (const { name, title, one, stored } of resources) {
    const head = {
      company,
      revision: { type: 'integer', description: 'Number of the change in the company.', minimum: 1, examples: [1042] },
      resource: { type: 'string', const: name },
      id: { type: 'integer', description: 'Id of the record.', minimum: 1, examples: [7] }
    }
    const record = { record: standard.of(stored.schema) }
    const type = ref(`${title}ChangeType`)
    const deleted = { type: 'string', const: `${name}.deleted` }
    Object.assign(components, {
      [`${title}ChangeType`]: { type: 'string', enum: [`${name}.created`, `${name}.updated`] },
      [`${title}Event`]: object(`A change of ${one}.`, { type, timestamp, data: object('The change.', { ...head, ...record }) }),
      [`${title}DeletedEvent`]: object(`The deletion of ${one}.`, { type: deleted, timestamp, data: object('The deletion.', head) }),
      [`${title}BatchItem`]: object(`A change of ${one} in a list.`, { type, timestamp, ...head, ...record }),
      [`${title}DeletedBatchItem`]: object(`The deletion of ${one} in a list.`, { type: deleted, timestamp, ...head })
    })
    for (const [change, did] of [['created', 'was created'], ['updated', 'was changed'], ['deleted', 'was deleted']] as const) {
      const sent = change === 'deleted' ? `${title}DeletedEvent` : `${title}Event`
      paths[`${name}.${change}`] = delivery(`on${title}${capitalized(change)}`, `${capitalized(one)} ${did}`, sent)
    }
  }
  const items = resources.flatMap(({ title }) => [ref(`${title}BatchItem`), ref(`${title}DeletedBatchItem`)])
  components['BatchEvent'] = object('Several changes, for a webhook with a `batch` above 1.', {
    type: { type: 'string', const: 'changes' },
    timestamp,
    data: { type: 'array', minItems: 1, maxItems: limits.webhooks.batch, items: { anyOf: items } }
  })
  components['PingEvent'] = object('A test.', {
    type: { type: 'string', const: 'ping' },
    timestamp: { ...timestamp, description: 'Time of the test.' },
    data: object('Company of the webhook.', { company })
  })
  paths['changes'] = delivery('onChanges', 'Several changes at once', 'BatchEvent')
  paths['ping'] = delivery('onPing', 'A test of the webhook', 'PingEvent')
  return paths
}

function delivery (operationId: string, summary: string, schema: string): Schema {
  return {
    post: {
      operationId,
      summary,
      description: 'Sent to the `url` of a webhook. Verify `webhook-signature` before you parse the body.',
      tags: ['webhooks'],
      security: [],
      parameters: Object.keys(webhookParameters).map(name => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: { required: true, content: { 'application/json': { schema: ref(schema) } } },
      responses: {
        '2XX': { description: 'The receiver has the delivery. Its body is ignored.' },
        410: { description: 'The service switches the webhook off.' },
        default: { description: 'The service tries again later. A redirect is a failure too.' }
      }
    }
  }
}

function capitalized (text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
