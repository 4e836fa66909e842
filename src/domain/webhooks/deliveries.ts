import { Type } from '@sinclair/typebox'
import { day } from '../../config/limit.ts'
import { limits } from '../../config/limits.ts'
import { idType } from '../../database/turns/batch-requests.ts'
import { ListQuery, Paged } from '../../resources/declaration/list-schemas.ts'
import type { Readable } from '../../resources/declaration/base-resource.ts'
import { Choice, Id, Instant, Nullable } from '../../resources/declaration/schemas.ts'
import { ofCompanyUnrevised } from '../../resources/declaration/scope.ts'
import { eventTypes } from './resource.ts'

/** Days for which attempts are kept. */
export const deliveryDays = limits.webhooks.keptMs / day

/** An attempt to deliver. */
export const Delivery = Type.Object({
  id: Id,
  created_at: Type.String({ ...Instant, description: 'Time of the attempt.' }),
  webhook_id: Type.String({
    description: 'Header `webhook-id`: the same for all attempts of a delivery.',
    examples: ['msg_bC3D4xLq0Zt8mO2vJ5sKf9yWnU7hRa1pEiGdTcXoVkM']
  }),
  events: Type.Array(Choice([...eventTypes, 'ping'], { title: 'DeliveredEvent' }), {
    description: 'Types of the events.', examples: [['contracts.updated']]
  }),
  records: Type.Array(Type.Object({ resource: Type.String(), id: Id }), {
    description: 'Records of the events, in their order. Empty for a ping.', examples: [[{ resource: 'contracts', id: 57 }]]
  }),
  intento: Type.Integer({ minimum: 1, description: 'Number of the attempt.' }),
  estado_http: Nullable(Type.Integer({ examples: [204] }), { description: "Status of the receiver's answer. Null without one." }),
  duracion_ms: Type.Integer({ description: 'Duration in ms.', examples: [48] }),
  respuesta: Type.String({ description: "First kilobyte of the receiver's answer.", examples: [''] }),
  error: Nullable(Type.String(), { description: 'Why there is no answer. Null with one.', examples: [null] })
}, { title: 'Delivery' })

const { page, page_size: size, cursor, format } = ListQuery([], [], {}).properties

/** Schemas of the list of attempts. */
export const deliverySchemas = {
  query: Type.Object({ page, page_size: size, cursor, format }, { additionalProperties: false }),
  page: Paged(Delivery)
}

/** The attempts of a webhook. They do not raise the revision of the company, and no trigger counts them. */
export const deliveries: Readable = {
  name: 'webhook_deliveries',
  scope: ofCompanyUnrevised,
  item: `t.id, t.company_id as company, t.created_at, t.message as webhook_id, string_to_array(t.events, ',') as events,
    coalesce(t.records, '[]') as records, t.intento, t.estado_http, t.duracion_ms, t.respuesta, t.error`,
  joins: '',
  filterJoins: '',
  detail: '',
  detailJoins: '',
  ordering: {},
  filters: { webhook: value => ({ sql: 't.webhook = $', type: idType, value }) },
  search: []
}
