import fc from 'fast-check'
import { registered } from '../../../src/domain/resources.ts'
import type { OpenApiDocument } from '../../../src/openapi/document.ts'
import { insideOf } from '../../support/openapi/inside.ts'
import { bodies, json, texts } from './nasty.ts'

/** A random request. */
export interface Shot {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  /** Path and query. */
  url: string
  resource: string
  headers: Record<string, string>
  payload?: string | Buffer
}

type Schema = any

/** Random valid, partly invalid and malformed requests to every operation except streams, which do not end. @param ids by resource, ids of records that requests may target */
export function shotsOf (document: OpenApiDocument, ids: Record<string, number[]>): fc.Arbitrary<Shot> {
  const operations = Object.entries<Schema>(document.paths ?? {}).flatMap(([path, item]) => Object.entries<Schema>(item).filter(([, { responses }]) => responses[200]?.content?.['text/event-stream'] === undefined).map(([method, operation]) => shot(document, ids, path, method.toUpperCase() as Shot['method'], operation)))
  return fc.oneof(...operations)
}

function shot (document: OpenApiDocument, ids: Record<string, number[]>, path: string, method: Shot['method'], operation: Schema): fc.Arbitrary<Shot> {
  const inside = insideOf(document)
  const [, resource = ''] = /^\/api\/v1\/([a-z-]+)\//.exec(path) ?? []
  const parameters: Schema[] = (operation.parameters ?? []).map(inside)
  const schema = inside(operation.requestBody?.content['application/json']?.schema)
  const right = (given: Schema, name: string) => JSON.stringify(rightValue(inside(given), ids[references[name] ?? '']))

  const { [resource]: records = [] } = ids
  const known = records.length === 0 ? [1_000_000] : records
  const id = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known.map(String)) }, texts.filter(text => text !== '').map(escaped), fc.constantFrom('0', '-1', '1.5', '1e3', '2000000000', '2147483648', '9'.repeat(30), '%', '%00', '%2e%2e', '__proto__', '1%2f2'))
  const parameter = ({ name, schema }: Schema) => fc.oneof(fc.constant(`${name}=${escaped(JSON.parse(right(schema, name)))}`), texts.map(text => `${name}=${escaped(text)}`))
  const query = fc.tuple(
    some(parameters.filter(({ in: where }) => where === 'query'), 4).chain(chosen => fc.tuple(...chosen.map(parameter))),
    fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, fc.array(texts.map(text => escaped(text) + '=1'), { maxLength: 2 }), fc.constantFrom(['%=%'], ['page=1', 'page=2'], ['page[]=1'], ['__proto__[a]=1'], ['&&&'], ['a=%ff']))
  ).map(([known, unknown]) => [...known, ...unknown].join('&'))

  const member = ([name, given]: [string, Schema]) => fc.oneof({ weight: 2, arbitrary: fc.constant(right(given, name)) }, json).map(value => `${JSON.stringify(name)}:${value}`)
  const object = (of: Schema): fc.Arbitrary<string> => {
    const required = new Set<string>(of.required ?? [])
    // Bodies accept the read-only fields of answers too, which the document does not have in bodies.
    const answer = inside((operation.responses?.[201] ?? operation.responses?.[200])?.content?.['application/json']?.schema)
    const fields = Object.entries<Schema>({ ...answer?.properties, ...of.properties })
    return fc.tuple(
      fc.tuple(...fields.filter(([name]) => required.has(name)).map(([name, given]) => fc.oneof({ weight: 8, arbitrary: unique(name, right(given, name)) }, member([name, given]), fc.constant('')))),
      some(fields.filter(([name]) => !required.has(name)), 5).chain(chosen => fc.tuple(...chosen.map(member))),
      fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, fc.array(fc.tuple(texts, json).map(([name, value]) => `${JSON.stringify(name)}:${value}`), { maxLength: 2 }))
    ).map(parts => `{${parts.flat().filter(part => part !== '').join()}}`)
  }
  const items = schema?.properties?.items
  const whole = items === undefined
    ? object(schema ?? {})
    : fc.tuple(fc.array(object(inside(items.items)), { maxLength: 4 }), fc.constantFrom('', ',"upsert":"external_id"', ',"upsert":"clave"', ',"partial":true')).map(([all, upsert]) => `{"items":[${all.join()}]${upsert}}`)
  const isFile = operation.requestBody?.content['application/octet-stream'] !== undefined
  // The planted attachment has three bytes.
  const file = fc.oneof(fc.uint8Array({ minLength: 3, maxLength: 3 }), fc.uint8Array({ maxLength: 2000 })).map(bytes => Buffer.from(bytes))
  const payload = isFile ? file : schema === undefined ? fc.constant(undefined) : fc.oneof({ weight: 5, arbitrary: whole }, bodies)

  const value = fc.oneof(fc.constantFrom('*', '"1.1.x.1"', 'W/"1.1.x.1"', '"', 'key', 'es', 'es;q=nan', 'en;q=0.5,es;q=2,*', 'application/xml', 'x'.repeat(8000), ';'.repeat(4000), ', '.repeat(4000)), texts.map(text => text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '')))
  const header = fc.constantFrom('if-match', 'if-none-match', 'idempotency-key', 'accept-language', 'accept', 'x-request-id', 'x-forwarded-for', 'x-http-method-override', 'content-encoding', 'range').chain(name => value.map(text => [name, text] as const))
  const type = fc.oneof({ weight: 12, arbitrary: fc.constant(isFile ? 'application/octet-stream' : 'application/json') }, fc.constantFrom('application/json; charset=utf-16', 'text/plain', 'text/html', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json-patch+json', '<script>', ''))
  const verb = fc.oneof({ weight: 30, arbitrary: fc.constant(method) }, fc.constantFrom<Shot['method'][]>('HEAD', 'OPTIONS', 'DELETE', 'PUT', 'GET'))

  return fc.record({ verb, id, query, payload, type, others: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(header, { maxLength: 2 })) }).map(({ verb, id, query, payload, type, others }) => ({
    method: verb,
    url: path.replace('{id}', id) + (query === '' ? '' : `?${query}`),
    resource,
    headers: { ...Object.fromEntries(others), ...payload === undefined ? {} : { 'content-type': type } },
    payload
  }))
}

const references: Record<string, string> = {
  id: '',
  company: 'companies',
  customer: 'customers',
  user: 'users',
  ...Object.fromEntries(registered.flatMap(({ references }) => Object.entries(references).map(([field, { resource }]) => [field, resource])))
}

function some<T> (all: T[], most: number): fc.Arbitrary<T[]> {
  return fc.subarray(all, { maxLength: Math.min(most, all.length) })
}

/** Gives fields with unique values a new value. */
function unique (name: string, value: string): fc.Arbitrary<string> {
  const made = fc.nat(1_000_000_000)
  const own = name === 'folio' || name === 'nombre' ? made.map(number => `"AZAR-${number}"`) : name === 'email' ? made.map(number => `"azar-${number}@demo.example"`) : fc.constant(value)
  return own.map(text => `${JSON.stringify(name)}:${text}`)
}

function rightValue (schema: Schema, ids: number[] | undefined): unknown {
  if (ids !== undefined && ids.length > 0) return ids[0]
  const [example] = schema?.examples ?? []
  if (example !== undefined) return example
  if (schema?.enum !== undefined) return schema.enum[0]
  const [type] = [schema?.type].flat()
  return { integer: 1, number: 1, boolean: true, array: [], object: {}, null: null }[type as string] ?? 'texto'
}

function escaped (value: unknown): string {
  const text = String(value)
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'
}
