import { hash } from 'node:crypto'
import { limits } from '../../config/limits.ts'
import type { Statement } from '../../database/connection/sql.ts'
import type { Change } from './pending.ts'
import type { Outcome } from './send.ts'

/** Limit of a delivery's body in bytes. */
const maxBytes = limits.webhooks.bodyBytes

/** A delivery. */
export interface Message {
  /** The header `webhook-id`: the same for the same content to the same webhook, also after a crash. */
  id: string
  body: string
  /** Types of its events, without repetitions. */
  types: string[]
  /** The records of its changes. */
  records: Array<Pick<Change, 'resource' | 'id'>>
}

/**
 * Makes the delivery of as many changes as fit.
 * @param batch above 1, `data` is a list
 * @param changes at least one
 */
export function messageOf (webhook: number, company: number, batch: number, changes: Change[]): Message {
  const events = changes.map(change => eventOf(company, change))
  const fitting = batch === 1 ? events.slice(0, 1) : fittingOf(events)
  const { at } = changes[fitting.length - 1]
  const body = batch === 1 ? events[0] : `{"type":"changes","timestamp":"${at}","data":[${fitting.map(flat).join()}]}`
  const sent = changes.slice(0, fitting.length)
  const types = [...new Set(sent.map(({ type }) => type))]
  return { id: idOf(webhook, body), body, types, records: sent.map(({ resource, id }) => ({ resource, id })) }
}

/** The `ping` of a test. */
export function pingOf (webhook: number, company: number, now: Date): Message {
  const body = JSON.stringify({ type: 'ping', timestamp: now.toISOString(), data: { company } })
  return { id: idOf(webhook, body), body, types: ['ping'], records: [] }
}

function idOf (webhook: number, body: string): string {
  return `msg_${hash('sha256', `${webhook} ${body}`, 'base64url')}`
}

function eventOf (company: number, { type, at, revision, resource, id, record }: Change): string {
  const values = record === null ? '' : `,"record":${record}`
  const data = `{"company":${company},"revision":${revision},"resource":"${resource}","id":${id}${values}}`
  return `{"type":"${type}","timestamp":"${at}","data":${data}}`
}

/** An event as an item of a list: the fields of `data` beside its type and timestamp. */
function flat (event: string): string {
  return event.replace('"data":{', '').slice(0, -1)
}

/** The first events, as long as the body stays within its limit. A single one always fits, because fields are limited. */
function fittingOf (events: string[]): string[] {
  let bytes = 100
  const end = events.findIndex((event, index) => {
    bytes += Buffer.byteLength(event) + 1
    return index > 0 && bytes > maxBytes
  })
  return end === -1 ? events : events.slice(0, end)
}

/** Attempts that a webhook keeps while it fails. With `Retry-After: 1`, a receiver would otherwise get 86,400 rows per day. */
const keptAttempts = 1000

/** Pings that a webhook keeps among its last attempts. Anybody who may send one can send thousands. */
const keptPings = limits.webhooks.keptTests

/** Values: company, webhook, `webhook-id`, types, number of the attempt, and its outcome and records. */
const logAttempt = `
  with superseded as (
    delete from webhook_deliveries where $5 > ${keptAttempts} and ctid in (
      select ctid from webhook_deliveries where company_id = $1 and webhook = $2 order by id desc offset ${keptAttempts - 1} limit 1)),
  pings as (
    delete from webhook_deliveries where $4 = 'ping' and ctid in (
      select l.ctid from (
        select ctid, id, events from webhook_deliveries where company_id = $1 and webhook = $2 order by id desc limit ${keptAttempts}) l
      where l.events = 'ping' order by l.id desc offset ${keptPings - 1}))
  insert into webhook_deliveries (company_id, webhook, message, events, intento, estado_http, duracion_ms, respuesta, error, records)
  select w.company_id, w.id, $3, $4, $5, $6, $7, $8, $9, $10::jsonb from webhooks w where w.company_id = $1 and w.id = $2
  returning id, created_at, message as webhook_id, string_to_array(events, ',') as events, coalesce(records, '[]') as records,
    intento, estado_http, duracion_ms, respuesta, error`

/** The statement that stores an attempt and returns it, unless the webhook is deleted. @param attempt number of the attempt, from 1 */
export function logStatement (company: number, webhook: number, message: Message, attempt: number, outcome: Outcome): Statement {
  const { id, types, records } = message
  const { status, ms, body, error } = outcome
  return {
    name: 'log webhook delivery',
    text: logAttempt,
    values: [company, webhook, id, types.join(), attempt, status, ms, body, error, JSON.stringify(records)]
  }
}
