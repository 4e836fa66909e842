import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { resources } from '../domain/resources.ts'
import { usualOf } from '../resources/feed/cursor.ts'
import { describeService } from '../server/describe-service.ts'

const note = 'npm run client:types'

/** Generates the text of `src/client/api.d.ts` from the OpenAPI document. */
export async function clientTypes (): Promise<string> {
  const ast = await openapiTypescript(JSON.stringify(await describeService(), withoutCsv))
  return `// Generated from the OpenAPI document by openapi-typescript: ${note}\n\n${astToString(ast)}`
}

/** The client sends and reads JSON. */
function withoutCsv (key: string, value: unknown): unknown {
  return key === 'text/csv' ? undefined : value
}

/** A field of a body, as far as the client needs to know. */
interface BodyField {
  readOnly?: boolean
  nullable?: boolean
  sentBack?: boolean
  type?: string[]
  decimal?: { nullable?: boolean }
}

function isNullable ({ nullable, sentBack, type = [], decimal }: BodyField): boolean {
  return (nullable === true && sentBack !== true) || decimal?.nullable === true || type.includes('null')
}

/**
 * Generates the files of `src/client/sync/` that describe the resources: the fields of bodies, default values of new records, for each
 * reference of a body its resource and its field in records, and for each other reference in records its resource. `usual` are the
 * resources that the feed has by default.
 */
export function syncResources (): { 'resources.js': string, 'resources.d.ts': string } {
  const described = Object.fromEntries(resources.map(({ name, schemas, defaults, references, links }) => {
    const fields = Object.entries(schemas.create.properties ?? {}) as Array<[string, BodyField]>
    const writable = fields.filter(([, { readOnly }]) => readOnly !== true)
    const nulls = writable.filter(([, schema]) => isNullable(schema)).map(([field]) => [field, null])
    const shown = (field: string, column: string) => fields.some(([name]) => name === column) ? column : field
    const described = Object.entries(references).map(([field, { resource, column }]) => (
      [field, { resource, field: shown(field, column) }]))
    const shownOnly = links.filter(({ field }) => !(field in references)).map(({ field, to }) => [field, to])
    return [name, {
      fields: writable.map(([field]) => field),
      defaults: { ...Object.fromEntries(nulls), ...defaults },
      references: Object.fromEntries(described),
      ...shownOnly.length > 0 && { shown: Object.fromEntries(shownOnly) }
    }]
  }))
  const text = JSON.stringify(described, null, 2).replaceAll(/"(\w+)":/g, '$1:').replaceAll('"', "'")
  // One line for each list and object without others in it, at most 140 characters long.
  const compact = text.replaceAll(/[[{][^[\]{}]+[\]}]/g, inner => inner.replaceAll(/\n */g, ' ').replace(/^\[ (.*) \]$/, '[$1]'))
  const lines = compact.replaceAll(/^.{141,}$/gm, line => line.replaceAll(/(.{90,120},) /g, '$1\n      '))
  const head = `// Generated from the declarations of the resources: ${note}\n\n`
  const usual = `[${usualOf(resources).map(name => `'${name}'`).join(', ')}]`
  return {
    'resources.js': `${head}export const usual = ${usual}\n\nexport const resources = ${lines}\n`,
    'resources.d.ts': `${head}export declare const usual: ${usual}\n\nexport declare const resources: ${lines}\n`
  }
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '../client')
  await writeFile(join(folder, 'api.d.ts'), await clientTypes())
  for (const [name, text] of Object.entries(syncResources())) await writeFile(join(folder, 'sync', name), text)
}
