import type { Schema } from './standard.ts'

const root = '#/components/schemas/'

/** Name of the schema of an answer to a request with `fields`. */
function partialOf (title: string): string {
  return `Partial${title}`
}

/** Whether a schema is that of an answer to a request with `fields`. */
export function isPartial (name: string): boolean {
  return /^Partial[A-Z]/.test(name) && !name.endsWith('BulkAnswer')
}

/**
 * Adds the schema of answers to requests with `fields` to a schema of records: the same fields, all of them optional.
 * @param schema a reference to the schema of a record or a page
 * @param schemas all schemas by name, which get those of the answers
 * @returns a union with the complete record or page as its first member
 */
export function withPartial (schema: Schema, schemas: Record<string, Schema>): Schema {
  const name = titleOf(schema)
  return { anyOf: [schema, { $ref: root + (name.endsWith('Page') ? partialPage(name, schemas) : partialRecord(name, schemas)) }] }
}

function partialPage (name: string, schemas: Record<string, Schema>): string {
  const { [name]: page = {} } = schemas
  const { results } = page['properties']
  const items = { $ref: root + partialRecord(titleOf(results.items).replace(/Item$/, ''), schemas) }
  const description = 'A page with the fields that `fields` names.'
  schemas[partialOf(name)] ??= { ...page, description, properties: { ...page['properties'], results: { ...results, items } } }
  return partialOf(name)
}

function partialRecord (name: string, schemas: Record<string, Schema>): string {
  const { required, ...record } = schemas[name] ?? {}
  schemas[partialOf(name)] ??= { ...record, description: 'The fields that `fields` names.', minProperties: 1 }
  return partialOf(name)
}

function titleOf ({ $ref }: Schema): string {
  return $ref.slice(root.length)
}
