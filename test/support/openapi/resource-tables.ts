import { insideOf } from './inside.ts'
import { describeService } from '../../../src/server/describe-service.ts'

/** The parts of a schema that a table shows. */
interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  examples?: unknown[]
  enum?: unknown[]
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  required?: string[]
  readOnly?: boolean
  description?: string
  properties?: Record<string, Schema>
}

interface Parameter { name?: string, in?: string, description?: string, schema?: Schema }

interface Operation {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** The parts of the OpenAPI document that the tables use. */
export interface Document {
  tags: Array<{ name: string, description: string }>
  paths: Record<string, Partial<Record<'get' | 'post', Operation>>>
  components: { schemas: Record<string, Schema> }
}

const root = '/api/v1/'

/** Parameters that every list has. The page describes them once. */
const common = ['page', 'page_size', 'search', 'updated_since', 'cursor', 'ordering', 'fields', 'format', 'totals', 'count_exact', 'external_id']

/** The tables of docs/reference/resources.md: fields, filters and orderings of each resource. Run directly, this file prints them. */
export function resourceTables (document: Document): string {
  return document.tags.flatMap(({ name, description }) => {
    const [list, record] = [document.paths[`${root}${name}/`]?.get, document.paths[`${root}${name}/{id}/`]?.get]
    return list === undefined || record === undefined ? [] : [section(document, name, description, list, record)]
  }).join('\n\n')
}

function section (document: Document, name: string, description: string, list: Operation, record: Operation): string {
  const create = document.paths[`${root}${name}/`]?.post
  const shown = answerOf(document, record)
  const body = create === undefined ? {} : schemaOf(document, create.requestBody?.content['application/json']?.schema)
  const item = schemaOf(document, answerOf(document, list).properties?.['results']?.items)
  return [
    `## \`${name}/\``,
    `${description}.`,
    fieldTable(document, shown, item, body),
    filterTable(list.parameters ?? []),
    orderings(document, list.parameters ?? []),
    totals(answerOf(document, list))
  ].filter(part => part !== '').join('\n\n')
}

function answerOf (document: Document, { responses }: Operation): Schema {
  return schemaOf(document, responses['200']?.content?.['application/json']?.schema)
}

function schemaOf (document: Document, schema: Schema | undefined): Schema {
  const whole = schema?.anyOf?.[1]?.$ref?.includes('/Partial') === true ? schema.anyOf[0] : schema
  return insideOf(document)(whole) ?? {}
}

function fieldTable (document: Document, record: Schema, item: Schema, body: Schema): string {
  const inBody = (field: string) => body.properties?.[field] !== undefined && body.properties[field].readOnly !== true
  const usage = (field: string) => [
    body.required?.includes(field) === true ? 'required' : inBody(field) ? 'optional' : 'read-only',
    ...item.properties?.[field] === undefined ? ['only in the single record'] : []
  ].join(', ')
  const written = Object.entries(body.properties ?? {}).filter(([field]) => inBody(field) && record.properties?.[field] === undefined)
  return table(['Field', 'Type', 'Use', 'Description'], [
    ...Object.entries(record.properties ?? {}).map(([field, schema]) => [`\`${field}\``, typeOf(document, schema), usage(field), schema.description ?? '']),
    ...written.map(([field, schema]) => [`\`${field}\``, typeOf(document, schema), 'only in bodies', schema.description ?? ''])
  ])
}

function filterTable (parameters: Parameter[]): string {
  const own = parameters.filter(({ in: place, name }) => place === 'query' && name !== undefined && !common.includes(name))
  return own.length === 0 ? '' : table(['Filter', 'Records'], own.map(({ name, description }) => [`\`${name}\``, description ?? '']))
}

function orderings (document: Document, parameters: Parameter[]): string {
  const values = schemaOf(document, parameters.find(({ name }) => name === 'ordering')?.schema?.items).enum ?? []
  const fields = values.map(String).filter(value => !value.startsWith('-'))
  return fields.length === 0 ? '' : `Ordering by ${fields.map(field => `\`${field}\``).join(', ')}.`
}

/** The sums of `totals=true`, the same for each currency. */
function totals (page: Schema): string {
  const [sums] = Object.values(page.properties?.['totals']?.properties ?? {})
  return sums === undefined ? '' : `\`totals\` has the sums of ${Object.keys(sums.properties ?? {}).map(field => `\`${field}\``).join(', ')}.`
}

/** A type as a reader knows it: `decimal` for a decimal in a text, or the values of a choice. */
function typeOf (document: Document, given: Schema): string {
  const schema = schemaOf(document, given)
  const types = [schema.type ?? []].flat()
  const isNull = types.includes('null') || (schema.anyOf ?? schema.oneOf ?? []).some(({ type }) => type === 'null')
  const value = valueOf(schema.anyOf?.length === 2 && isNull ? schemaOf(document, schema.anyOf[0]) : schema, types)
  return isNull ? `${value} or null` : value
}

function valueOf (schema: Schema, types: string[]): string {
  if (schema.enum !== undefined) return schema.enum.filter(value => value !== null).map(value => `\`${String(value)}\``).join(', ')
  const type = types.find(one => one !== 'null')
  if (type !== 'string') return type ?? 'object'
  const isDecimal = (schema.examples ?? []).some(example => /^-?\d+\.\d+$/.test(String(example)))
  return schema.format ?? (isDecimal || schema.pattern?.includes('\\.\\d') === true ? 'decimal' : 'text')
}

function table (head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

if (import.meta.main) process.stdout.write(`${resourceTables(await describeService() as unknown as Document)}\n`)
