import { Type, type TProperties, type TSchema } from '@sinclair/typebox'
import { limits } from '../../config/limits.ts'
import { codesOfProblems } from '../../http/problem-codes.ts'
import { listFormats } from '../../http/list-formats.ts'
import { Choice } from './schemas.ts'

/** Maximum number of records on a page. */
export const maxPageSize = limits.queries.pageSize

/** A bounded count stops after this many records. More than any page near the start of a list needs. */
export const maxCount = limits.queries.boundedCount

const parameters = {
  page: Type.String({ description: 'Page number from 1, or `last`.', examples: ['2'] }),
  page_size: Type.Integer({
    digits: true, minimum: 1, maximum: maxPageSize, description: `Records per page, 1 to ${maxPageSize}. Default: 20.`, examples: [50]
  }),
  search: Type.String({
    text: true,
    maxLength: 200,
    description: 'Words that must all occur. Case, accents, dots and apostrophes are ignored.',
    examples: ['cimentacion norte']
  }),
  updated_since: Type.String({ isInstant: true, description: 'Records changed at or after this time.' }),
  count_exact: Type.Boolean({
    description: 'Whether `count` is exact for any number of records. ' +
      `With \`false\`, counting can stop at ${maxCount.toLocaleString('en')}. Default: true.`,
    examples: [true]
  }),
  cursor: Type.String({ maxLength: 8000, description: 'Start of the page. Take it only from `next`.', examples: ['WyJpZEAyLjIwIiwyMF0'] }),
  format: Choice(listFormats, {
    title: 'ListFormat',
    description: 'Format of the answer. `csv` is the whole list, not one page. Default: by `Accept`, otherwise `json`.',
    examples: ['json']
  })
}

/** Comma-separated words, converted to an array. @param title name of the words in the OpenAPI document */
export function CommaSeparated (words: string[], maxItems: number, title?: string) {
  const items = { type: 'string', enum: words, ...title === undefined ? {} : { title } }
  return { type: ['string', 'array'], list: true, maxItems, items }
}

/** `fields=` of a resource: comma-separated fields of its answer. */
export function Fields (fields: string[], title?: string) {
  return Type.Unsafe<string[]>({
    ...CommaSeparated(fields, fields.length, title === undefined ? undefined : `${title}Field`),
    minItems: 1,
    description: 'Comma-separated fields to return. Default: all.',
    examples: [fields.slice(0, 2)]
  })
}

/**
 * The query of a list: the common parameters, and the resource's orderings and filters. Other parameters are refused.
 * @param item title of the records
 */
export function ListQuery<T extends TProperties> (fields: string[], orderings: string[], filters: T, isSearched = true, item?: string) {
  const names = item === undefined ? undefined : `${item.replace(/Item$/, '')}Ordering`
  const ordering = Type.Unsafe<string[]>({
    ...CommaSeparated(orderings, orderings.length / 2, names),
    description: 'Comma-separated fields to sort by, with `-` for descending order. `id` is always the last key.',
    examples: [[orderings[0]]]
  })
  const { search, ...others } = parameters
  const common = isSearched ? parameters : others
  return Type.Partial(Type.Object({ ...common, ordering, fields: Fields(fields, item), ...filters }), { additionalProperties: false })
}

/** `totals=` of a list that can return sums. */
export const TotalsQuery = Type.Boolean({
  description: 'Whether `totals` has the sums of the amounts on all pages, by currency. Default: false.', examples: [false]
})

/** The query of a list without other parameters. */
export const FormatQuery = Type.Partial(Type.Object({ format: parameters.format }), { additionalProperties: false })

/** The query of a single record. */
export function RecordQuery (fields: string[], title?: string) {
  return Type.Partial(Type.Object({ fields: Fields(fields, title) }), { additionalProperties: false })
}

/** A title derived from that of the contained record, so that both have their own names in the OpenAPI document. */
function titled ({ title }: TSchema, kind: string): { title?: string } {
  return title === undefined ? {} : { title: `${title.replace(/Item$/, '')}${kind}` }
}

/** `count_exact` of a page. */
export const CountExact = Type.Boolean({
  description: `Whether \`count\` is exact. If not, there are more than ${maxCount.toLocaleString('en')} records, ` +
    `and \`count\` is ${maxCount}. Only with \`count_exact=false\`.`,
  examples: [true]
})

/** The envelope of a page, as in the specification. @param more schemas of properties that only some pages have */
export function Paged<T extends TSchema> (item: T, more: TProperties = {}) {
  return Type.Object({
    count: Type.Integer({ description: 'Number of records on all pages.', minimum: 0, examples: [1] }),
    next: Type.Unsafe<string | null>({
      type: 'string', nullable: true, description: 'URL of the next page. Null on the last page.', examples: [null]
    }),
    previous: Type.Unsafe<string | null>({
      type: 'string', nullable: true, description: 'URL of the previous page. Null on the first page.', examples: [null]
    }),
    results: Type.Array(item),
    ...Type.Partial(Type.Object(more)).properties
  }, titled(item, 'Page'))
}

/** Maximum items of a bulk POST, unless the resource declares another number. */
export const mostItems = limits.bodies.items

/**
 * The body of a bulk POST: items, each like the body of a single POST, but without required fields.
 * @param keys fields by which items can find existing records
 */
export function BulkBody<T extends TSchema> (item: T, record: TSchema, maxItems: number, keys: readonly string[]) {
  return Type.Object({
    items: Type.Array(item, {
      minItems: 1, maxItems, description: 'Items. Each item that creates a record needs the required fields of a single POST.'
    }),
    upsert: Type.Optional(Choice(keys, {
      ...titled(record, 'Key'),
      description: 'Items with the value of an existing record in this field update that record.',
      examples: ['external_id']
    })),
    partial: Type.Optional(
      Type.Boolean({ description: 'Whether valid items are written although others are refused. Default: false.', examples: [false] })
    )
  }, { ...titled(record, 'Bulk'), sliced: 'items', additionalProperties: false })
}

/** The answer to a bulk POST: the complete records, in the order of the items. */
export function BulkAnswer<T extends TSchema> (record: T) {
  return Type.Object(
    { count: Type.Integer({ description: 'Number of items.', examples: [1] }), results: Type.Array(record) }, titled(record, 'BulkAnswer')
  )
}

/** A refused item of a bulk with `partial`: messages and codes by fields of the item. */
const RefusedItem = Type.Object({
  errors: Type.Unsafe<Record<string, string[]>>({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    description: 'Messages by field.',
    examples: [{ folio: ['This field must be unique.'] }]
  }),
  codes: Type.Unsafe<Record<string, string[]>>({
    type: 'object',
    additionalProperties: { type: 'array', items: Choice(codesOfProblems, { title: 'ProblemCode' }) },
    description: 'Codes by field, in the order of the messages.',
    examples: [{ folio: ['unique'] }]
  })
}, { title: 'RefusedItem', additionalProperties: false })

/** The answer to a bulk POST with `partial`: a complete record or the errors of each item, in the order of the items. */
export function PartialBulkAnswer<T extends TSchema> (record: T) {
  const results = Type.Array(Type.Unsafe<object>({ anyOf: [RefusedItem, record] }))
  return Type.Object(
    { count: Type.Integer({ description: 'Number of items.', examples: [1] }), results }, titled(record, 'PartialBulkAnswer')
  )
}
