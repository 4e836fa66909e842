import { Type, type TProperties, type TSchema } from '@sinclair/typebox'

const parameters = {
  page: Type.String({ description: 'number of the page, from 1, or `last`' }),
  page_size: Type.Integer({ minimum: 1, maximum: 200, description: 'records a page, 20 by default' }),
  ordering: Type.String({ maxLength: 200, description: 'fields to order by, comma-separated, `-` for descending' }),
  search: Type.String({ text: true, maxLength: 200, description: 'words that must all be found, without regard to case and accents' }),
  updated_since: Type.String({ isInstant: true, description: 'records changed at or after that instant' }),
  cursor: Type.String({ maxLength: 2000, description: 'where the page starts; `next` carries it' })
}

/** `fields=` of a resource: a comma-separated choice of its answer's fields. */
export function Fields (fields: string[]) {
  return Type.Unsafe<string[]>({ type: ['string', 'array'], list: true, items: { type: 'string', enum: fields }, minItems: 1, description: `answer with these fields alone, comma-separated: ${fields.join(', ')}` })
}

/** The query of a list: what every list takes, and the resource's filters. A parameter it does not have is refused. */
export function ListQuery<T extends TProperties> (fields: string[], filters: T) {
  return Type.Partial(Type.Object({ ...parameters, fields: Fields(fields), ...filters }), { additionalProperties: false })
}

/** The query of a single record. */
export function RecordQuery (fields: string[]) {
  return Type.Partial(Type.Object({ fields: Fields(fields) }), { additionalProperties: false })
}

/** The paged list envelope of the specification. */
export function Paged<T extends TSchema> (item: T) {
  return Type.Object({
    count: Type.Integer({ description: 'records over all pages' }),
    next: Type.Unsafe<string | null>({ type: 'string', nullable: true, description: 'absolute URL of the next page' }),
    previous: Type.Unsafe<string | null>({ type: 'string', nullable: true, description: 'absolute URL of the previous page' }),
    results: Type.Array(item)
  })
}
