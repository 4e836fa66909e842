import type { LightMyRequestResponse } from 'fastify'
import { registered } from '../../../src/domain/resources.ts'
import type { OpenApiDocument } from '../../../src/openapi/document.ts'
import type { Client } from '../../support/helper.ts'
import { insideOf } from '../../support/openapi/inside.ts'
import { isFreeText, specsOf } from '../../support/sample.ts'

/** Two values for one place of a request: another tenant's, and one that does not exist. */
export interface Pair {
  theirs: unknown
  absent: unknown
}

/** Values for attacks, by name of parameter and field. */
export interface Loot {
  /** By resource, the id of another tenant's record and an absent id. */
  ids: Record<string, Pair>
  /** By resource and field, values that identify another tenant's records; `*` applies to every resource. */
  names: Record<string, Record<string, Pair>>
  /** By resource, the id of one of the attacker's own records. */
  own: Record<string, number>
  /** A valid POST body of a resource. `number` makes its unique values differ. */
  body: (resource: string, number: number) => Record<string, unknown>
}

/** A request whose answer must not distinguish another tenant's record from an absent one. */
export interface Attack {
  what: string
  resource: string
  pair: Pair
  /** Whether it may change the attacker's own records. */
  changes: boolean
  /** Permitted statuses. */
  statuses: number[]
  send: (client: Client, value: unknown) => Promise<LightMyRequestResponse>
}

/** The texts of a resource by which lists can be filtered. */
export function identifying (resource: typeof registered[number]): string[] {
  return specsOf(resource).filter(([, spec]) => isFreeText(spec) && spec.filters !== undefined).map(([field]) => field)
}

/** The fields of bodies that identify no record, and the filters by a condition: numbers, days and words, and texts without a filter. */
function insignificant (resource: typeof registered[number]): string[] {
  return specsOf(resource).flatMap(([field, spec]) => {
    const isPlain = spec.reference === undefined && spec.isUnique !== true && (spec.type !== 'text' || !isFreeText(spec) || spec.filters === undefined)
    const conditions = (spec.filters ?? []).filter(({ schema }) => schema['type'] === 'boolean').flatMap(({ name }) => name ?? [])
    return [...isPlain && spec.isCaller !== true ? [field] : [], ...conditions]
  })
}

/** Whether only a new record gets the field. */
function isFixed (name: string, field: string): boolean {
  return registered.some(resource => resource.name === name && resource.fixed.includes(field))
}

/** Parameters and fields that take an id, with the resource it belongs to. */
const references: Record<string, string> = {
  ...Object.fromEntries(registered.flatMap(resource => Object.entries(resource.references).map(([field, { resource: to }]) => [field, to]))),
  ...Object.fromEntries(registered.flatMap(specsOf).flatMap(([field, { isCaller }]) => isCaller === true ? [[field, 'users']] : [])),
  parent: 'contracts',
  contract: 'contracts',
  contracts: 'contracts',
  contraparte: 'contrapartes',
  estimate: 'estimates',
  concepto: 'conceptos',
  convenio: 'convenios',
  generador: 'generadores',
  pago: 'pagos',
  company: 'companies',
  customer: 'customers',
  user: 'users'
}
/** Parameters and fields whose text identifies a record. */
const naming = new Set(['folio', 'nombre', 'external_id', 'rfc', 'email', 'search', 'cursor', 'contraparte', 'contraparte_nombre', 'factura_uuid', 'complemento_uuid', 'record', 'clave', 'capitulo', 'sha256', 'cfdi_uuid', ...registered.flatMap(identifying)])
/** Parameters and fields that identify no record. */
const plain = new Set(['page', 'page_size', 'updated_since', 'ordering', 'fields', 'format', 'depth', 'estado', 'moneda', 'monto', 'monto_min', 'monto_max', 'tipo', 'activo', 'nivel_acceso', 'periodo_desde', 'periodo_hasta', 'periodo_inicio',
  'periodo_fin', 'fecha_inicio', 'fecha_fin', 'anticipo_porcentaje', 'retencion_porcentaje', 'iva_porcentaje', 'descripcion', 'deductivas', 'motivo_rechazo', 'telefono', 'direccion', 'notas', 'password', 'current_password', 'current', 'new', 'items', 'upsert', 'partial', 'empty', 'url', 'events', 'batch', 'since',
  'unidad', 'cantidad', 'precio_unitario', 'alzado', 'ubicacion', 'piezas', 'largo', 'ancho', 'alto', 'observaciones', 'dias', 'con_anticipo', 'fecha_autorizacion', 'fecha_firma', 'todos', 'totals', 'count_exact', 'anticipo', 'pendiente_pago', 'importe', 'fecha', 'fecha_desde', 'fecha_hasta', 'referencia',
  'sentido', 'motivo', 'antes_iva', 'porcentaje', 'base', 'derechos_porcentaje', 'retencion_antes_iva',
  'zona_horaria', 'tomada_en', 'bytes', 'Range', 'If-Range', 'Tus-Resumable', 'Upload-Offset', 'Upload-Length', 'width', 'resource', 'resources', 'desde', 'hasta', 'device', 'acknowledged', 'mutations', 'Accept-Language', 'X-Request-Id', 'Prefer',
  ...registered.flatMap(insignificant)])
/** Headers that identify a version, a page or a request, with the permitted statuses. */
const headers: Record<string, number[]> = { 'If-Match': [404], 'If-None-Match': [404], 'Idempotency-Key': [201] }

/** Thrown for a place of an operation that the tables above do not classify. */
export class Unclassified extends Error {}

/**
 * Every attack on the document: each operation, each place of it that can identify a record. The email of a user is left out:
 * it is unique over all customers, because a log-in does not name the customer, so it reveals another tenant's by design.
 * @throws {Unclassified} if it is not known whether a place can identify a record
 */
export function attacksOf (document: OpenApiDocument, loot: Loot): Attack[] {
  const attacks: Attack[] = []
  for (const [path, item] of Object.entries<any>(document.paths ?? {})) {
    const [, resource = ''] = /^\/api\/v1\/([a-z]+)\//.exec(path) ?? []
    if (resource === '') continue // tokens, which have their own attacks, and health
    for (const [method, operation] of Object.entries<any>(item)) attacks.push(...ofOperation(document, loot, path.slice('/api/v1/'.length), method.toUpperCase() as 'GET', operation, resource))
  }
  return attacks
}

/** A parameter of an operation. */
interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  example?: unknown
}

let sent = 0

/** Fields of the records in the answer of a write. */
function shownBy (inside: (value: any) => any, { responses }: any): string[] {
  const answer = inside((responses?.[201] ?? responses?.[200])?.content?.['application/json']?.schema)
  const record = answer?.properties?.results === undefined ? answer : inside(answer.properties.results.items)
  return Object.keys(record?.properties ?? {})
}

function ofOperation (document: OpenApiDocument, loot: Loot, path: string, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', operation: any, resource: string): Attack[] {
  const inside = insideOf(document)
  const parameters: Parameter[] = (operation.parameters ?? []).map(inside)
  const schema = inside(operation.requestBody?.content['application/json']?.schema)
  const isBulk = path.endsWith('/bulk/')
  const single = inside(isBulk ? schema.properties.items.items : schema)
  // Bodies accept the company of a record, although the document does not have it.
  const shown = shownBy(inside, operation)
  const fields = [...new Set([...Object.keys(single?.properties ?? {}), ...single !== undefined && shown.includes('company') ? ['company'] : []])]
  const hasId = path.includes('{id}')
  const owned = path.replace('{id}', String(loot.own[resource]))
  const bodyOf = () => method === 'PATCH' || resource === 'me' ? {} : loot.body(resource, ++sent)
  const wrapped = (body: object) => isBulk ? { items: [bodyOf(), body] } : body
  const payload = () => schema === undefined ? undefined : wrapped(bodyOf())
  const attack = (what: string, pair: Pair, statuses: number[], send: Attack['send']): Attack => ({ what: `${method} ${path} ${what}`, resource, pair, changes: method !== 'GET', statuses: resource === 'customers' ? [403] : statuses, send })
  const found: Attack[] = []

  if (hasId) {
    const pair = loot.ids[resource]
    const required = Object.fromEntries(parameters.filter(({ in: where, required }) => where === 'header' && required === true)
      .map(({ name, example }) => [name, String(example)]))
    const at = (id: unknown) => path.replace('{id}', String(id))
    const gone = method === 'DELETE' || method === 'GET' ? [{}] : [bodyOf(), {}, { color: 1 }, { estado: 'vigente', external_id: 7 }]
    for (const body of gone) found.push(attack(`by address, ${JSON.stringify(Object.keys(body))}`, pair, [404], async (client, id) => await client.send(method, at(id), schema === undefined ? undefined : body, required)))
    for (const { name } of parameters.filter(({ in: where, name }) => where === 'header' && name in headers)) {
      for (const tag of ['*', '"1.1.x.1"', '"1.1.x.99"']) found.push(attack(`by address, ${name}: ${tag}`, pair, headers[name], async (client, id) => await client.send(method, at(id), payload(), { ...required, [name]: tag })))
    }
  }
  for (const { name, in: where } of parameters) {
    if (where === 'path') {
      if (name !== 'id') throw new Unclassified(`${method} ${path}: {${name}}`)
      continue
    }
    if (where === 'header') {
      const tag = loot.names['*']?.['If-None-Match']
      if (name === 'If-None-Match' && !hasId) found.push(attack('If-None-Match', tag, [200], async (client, value) => await client.get(path, { 'if-none-match': String(value) })))
      if (name === 'Last-Event-ID') {
        const [pair] = pairsOf(loot, resource, 'cursor', path) as [Pair]
        found.push(attack(name, pair, [409], async (client, value) => await client.get(path, { 'last-event-id': String(value) })))
        continue
      }
      if (!(name in headers) && !plain.has(name)) throw new Unclassified(`${method} ${path}: header ${name}`)
      if (name === 'Idempotency-Key') found.push(attack('by Idempotency-Key', { theirs: `theirs-${resource}`, absent: 'nobodys' }, [201], async (client, key) => await client.send(method, owned, payload(), { 'idempotency-key': `${String(key)}-${method}-${path}` })))
      continue
    }
    const pairs = pairsOf(loot, resource, name, `${method} ${path} ?${name}`)
    // A stream does not end. Its events have revisions only, and `changes/` takes the same parameters.
    for (const pair of path.endsWith('/events/') ? [] : pairs) {
      found.push(attack(`?${name}=${typeof pair.theirs}`, pair, name === 'cursor' && resource === 'changes' ? [409] : path.endsWith('deliveries/') || /\{id\}\/(?:conceptos|avance)\/$/.test(path) ? [400] : [200, 404], async (client, value) => await client.get(`${owned}?${name}=${encodeURIComponent(String(value))}`)))
      if (['parent', 'contract'].includes(name) && parameters.some(({ name }) => name === 'page')) found.push(attack(`?${name}&page=last`, pair, [200], async (client, value) => await client.get(`${owned}?${name}=${String(value)}&page=last&ordering=-id`)))
    }
  }
  for (const field of fields.filter(field => !(resource === 'users' && field === 'email'))) {
    for (const pair of pairsOf(loot, resource, field, `${method} ${path} ${field}`)) {
      const isReference = field in references
      found.push(attack(`${isBulk ? 'items.1.' : ''}${field}: ${typeof pair.theirs}`, pair, isReference || (method !== 'POST' && isFixed(resource, field)) ? [400] : resource === 'mutations' ? [409] : [200, 201], async (client, value) => await client.send(method, owned, wrapped({ ...bodyOf(), [field]: value }))))
      if (isBulk && field === 'external_id') found.push(attack('items.1.external_id upserted', pair, [201], async (client, value) => await client.send(method, owned, { items: [{ ...bodyOf(), [field]: value }], upsert: 'external_id' })))
    }
  }
  return found
}

/** Values for a parameter or field; an empty array if it identifies no record. */
function pairsOf ({ ids, names }: Loot, resource: string, name: string, where: string): Pair[] {
  const reference = references[name]
  const pairs = [...reference === undefined ? [] : [ids[reference]], ...naming.has(name) ? [names[resource]?.[name] ?? names['*']?.[name]] : []]
  if (pairs.length === 0 && !plain.has(name)) throw new Unclassified(where)
  if (pairs.some(pair => pair === undefined)) throw new Unclassified(`${where}: no value for it`)
  return pairs
}

/** An answer without the parts that differ between any two requests, without the requested value, which a cursor has with base 36, and without the id of a created record. */
export function comparable ({ statusCode, headers, body }: LightMyRequestResponse, value: unknown) {
  const { date, etag, 'x-request-id': request, 'content-length': length, ...rest } = headers
  const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => !/^(x-)?ratelimit/.test(name)))
  const forms = typeof value === 'string' ? [JSON.stringify(value).slice(1, -1), encodeURIComponent(value)].map(form => form.replaceAll(/[^\w]/g, '\\$&')) : [`\\b${String(value)}\\b`, `~${Number(value).toString(36)}(?=\\.)`]
  const without = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'NOW').replaceAll(/"(id|version|numero|user)":\d+/g, '"$1":0').replaceAll(/whsec_[\w+/]+=*/g, 'SECRET').replaceAll(/ATAQUE-\d+|ataque-\d+[@.]/g, 'NEW').replaceAll(new RegExp(forms.join('|'), 'g'), 'ASKED')
  return { statusCode, headers: without(JSON.stringify(kept)).replaceAll(/\/\d+\//g, '/ID/'), body: without(body) }
}
