import type { Schema } from './standard.ts'

/** Examples of schemas, assembled from the `examples` of their properties. */
export class Examples {
  /** Examples by title of the schema. */
  readonly components: Record<string, Schema> = {}
  readonly #schemas: Record<string, Schema>

  constructor (schemas: Record<string, Schema>) {
    this.#schemas = schemas
  }

  /** Adds the example of its schema to a media type without one, by reference if the schema is a reference. */
  complete (media: Schema): void {
    if (media['example'] !== undefined || media['examples'] !== undefined) return
    const title = titleOf(media['schema'])
    if (title === undefined) {
      media['example'] = this.#of(media['schema'], [])
      return
    }
    this.components[title] ??= { value: this.#of(media['schema'], []) }
    media['examples'] = { example: { $ref: `#/components/examples/${title}` } }
  }

  /** @param inside titles of the enclosing schemas: the example of a recursive schema ends after one level */
  #of (schema: Schema, inside: string[]): unknown {
    if (schema['examples'] !== undefined) return schema['examples'][0]
    const title = titleOf(schema)
    if (title !== undefined) return this.#of(this.#schemas[title], [...inside, title])
    if (schema['anyOf'] !== undefined) return this.#of(schema['anyOf'][0], inside)
    if (schema['const'] !== undefined) return schema['const']
    if (schema['enum'] !== undefined) return schema['enum'][0]
    const types = [schema['type']].flat()
    if (types.includes('object')) {
      const shown = Object.entries<Schema>(schema['properties'] ?? {}).filter(([, property]) => property['readOnly'] !== true)
      return Object.fromEntries(shown.map(([name, property]) => [name, this.#of(property, inside)]))
    }
    if (types.includes('array')) return inside.includes(titleOf(schema['items']) ?? '') ? [] : [this.#of(schema['items'], inside)]
    if (types.includes('null')) return null
    if (types.includes('boolean')) return true
    return types.includes('integer') ? schema['minimum'] ?? 1 : 'text'
  }
}

function titleOf ({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1)
}
