import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTypescript, { astToString, type SchemaObject, type TransformNodeOptions } from 'openapi-typescript'
import ts from 'typescript'
import { resources } from '../domain/resources.ts'
import { mediaTypes } from '../http/media.ts'
import { isPartial } from '../openapi/partial.ts'
import { usualOf } from '../resources/feed/cursor.ts'
import { describeService } from '../server/describe-service.ts'

const note = 'npm run client:types'

/** Generates the text of `src/client/api.d.ts` from the OpenAPI document. */
export async function clientTypes (): Promise<string> {
  const ast = await openapiTypescript(JSON.stringify(await describeService(), onlyUsable), { transform: fileType })
  return `// Generated from the OpenAPI document by openapi-typescript: ${note}\n\n${astToString(ast)}`
}

/** Media types of answers that are also JSON. */
const otherTypes: readonly string[] = ['text/csv', ...Object.values(mediaTypes)]

/** The types of answers in several formats are those of JSON, and those of answers with and without `fields` are those without. */
function onlyUsable (key: string, value: unknown): unknown {
  if (key === 'content') return onlyJson(Object(value))
  if (key === 'schema') return wholeOf(Object(value))
  return key === 'schemas' ? Object.fromEntries(Object.entries(Object(value)).filter(([name]) => !isPartial(name))) : value
}

function wholeOf (schema: { anyOf?: Array<{ $ref?: string }> }): object {
  const [whole, part] = schema.anyOf ?? []
  return whole !== undefined && isPartial(part?.$ref?.split('/').at(-1) ?? '') ? whole : schema
}

function onlyJson (content: Record<string, unknown>): Record<string, unknown> {
  if (!('application/json' in content)) return content
  return Object.fromEntries(Object.entries(content).filter(([type]) => !otherTypes.includes(type)))
}

type MediaSchema = SchemaObject & { contentMediaType?: string }

/** The bytes of a file: a `Blob`, in requests also a `Uint8Array`. */
function fileType ({ contentMediaType }: MediaSchema, { path }: TransformNodeOptions): ts.TypeNode | undefined {
  if (contentMediaType === undefined) return undefined
  const types = path?.includes('requestBody') === true ? ['Blob', 'Uint8Array'] : ['Blob']
  return ts.factory.createUnionTypeNode(types.map(type => ts.factory.createTypeReferenceNode(type)))
}

/** A field of a body, as far as the client needs to know. */
interface BodyField {
  readOnly?: boolean
  nullable?: boolean
  sentBack?: boolean
  type?: string[]
  decimal?: { nullable?: boolean }
  money?: boolean
  percentage?: boolean
}

function isDecimal ({ decimal, money, percentage }: BodyField): boolean {
  return (decimal ?? money ?? percentage) !== undefined
}

function isNullable ({ nullable, sentBack, type = [], decimal }: BodyField): boolean {
  return (nullable === true && sentBack !== true) || decimal?.nullable === true || type.includes('null')
}

/**
 * Generates the text of `src/client/sync/resources.ts`, which describes the resources: the fields of bodies, default values of new
 * records, and the references.
 * - `references`: for each reference of a body its resource, its field in records, and `onDelete` if a removal of the referred record also
 *   removes this one
 * - `shown`: for each other reference in records its resource
 * - `decimals`: the fields that are decimals, as texts
 * - `sums`: the fields that are sums, with the resources of the summed records
 * - `usual`: the resources that the feed has by default
 */
export function syncResources (): string {
  const described = Object.fromEntries(resources.map(({ name, schemas, defaults, references, links, constraints }) => {
    const fields: Array<[string, BodyField]> = Object.entries(schemas.create.properties ?? {})
    const writable = fields.filter(([, { readOnly }]) => readOnly !== true)
    const nulls = writable.filter(([, schema]) => isNullable(schema)).map(([field]) => [field, null])
    const shown = (field: string, column: string) => fields.some(([name]) => name === column) ? column : field
    const onDelete = (field: string) => links.find(link => link.field === field)?.onDelete
    const described = Object.entries(references).map(([field, { resource, column }]) => (
      [field, { resource, field: shown(field, column), ...onDelete(field) === 'cascade' && { onDelete: 'cascade' } }]))
    const decimals = writable.filter(([, schema]) => isDecimal(schema)).map(([field]) => field)
    const sums = constraints.flatMap(({ field, sumOf }) => sumOf === undefined ? [] : [[field, sumOf]])
    const shownOnly = links.filter(({ field }) => !(field in references)).map(({ field, to }) => [field, to])
    return [name, {
      fields: writable.map(([field]) => field),
      defaults: { ...Object.fromEntries(nulls), ...defaults },
      references: Object.fromEntries(described),
      ...shownOnly.length > 0 && { shown: Object.fromEntries(shownOnly) },
      ...decimals.length > 0 && { decimals },
      ...sums.length > 0 && { sums: Object.fromEntries(sums) }
    }]
  }))
  const text = JSON.stringify(described, null, 2).replaceAll(/"(\w+)":/g, '$1:').replaceAll('"', "'")
  // One line for each list and object without others in it, at most 140 characters long.
  const compact = text.replaceAll(/[[{][^[\]{}]+[\]}]/g, inner => inner.replaceAll(/\n */g, ' ').replace(/^\[ (.*) \]$/, '[$1]'))
  const lines = compact.replaceAll(/^.{141,}$/gm, line => line.replaceAll(/(.{90,120},) /g, '$1\n      '))
  const head = `// Generated from the declarations of the resources: ${note}\n\n`
  const usual = `[${usualOf(resources).map(name => `'${name}'`).join(', ')}]`
  return `${head}export const usual = ${usual} as const\n\nexport const resources = ${lines} as const\n`
}

/** Writes a file if its text differs, because another process may be reading it. */
async function replace (path: string, text: string): Promise<void> {
  if (await readFile(path, 'utf8').catch(() => undefined) !== text) await writeFile(path, text)
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '../client')
  await replace(join(folder, 'api.d.ts'), await clientTypes())
  await replace(join(folder, 'sync/resources.ts'), syncResources())
}
