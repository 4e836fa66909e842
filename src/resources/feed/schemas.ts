import { Type, type TObject, type TSchema } from '@sinclair/typebox'
import { limits } from '../../config/limits.ts'
import { CommaSeparated } from '../declaration/list-schemas.ts'
import { Id, UuidInput } from '../declaration/schemas.ts'
import { usualOf } from './cursor.ts'
import { maxRoots, rootOf, type Root } from './root.ts'
import type { Resource } from '../declaration/resource.ts'

/** A cursor of the feed, in the OpenAPI document. */
export const exampleCursor = 'hNj8z1.1..t5.hofx3v48nc.t5.a-2f-6'

/** Maximum changes on a page. */
const mostChanges = limits.queries.changes
/** Changes on a page without `page_size`. */
export const defaultChanges = 500

/** The schemas of the change feed of these resources. */
export function feedSchemas (resources: readonly Resource[]): { query: TObject, streamQuery: TObject, page: TObject } {
  const names = resources.map(({ name }) => name)
  const usual = usualOf(resources)
  const root = rootOf(resources)
  const counts = Object.fromEntries(names.map(name => [name, Type.Optional(Type.Integer({ minimum: 0 }))]))
  const uncounted = root === undefined ? '' : ` Resources that \`${root.name}\` limits have none.`
  const query = Type.Partial(Type.Object({
    cursor: Type.String({
      maxLength: 2000, description: 'Where the last page ended. Without it, the feed begins with a snapshot.', examples: [exampleCursor]
    }),
    ...root === undefined ? {} : { [root.name]: rootParameter(root) },
    device: Type.String({ ...UuidInput, description: 'A device that sends mutations. Records that it has created come with their `ref`.' }),
    page_size: Type.Integer({
      digits: true,
      minimum: 1,
      maximum: mostChanges,
      description: `Changes per page, 1 to ${mostChanges}. Default: ${defaultChanges}.`,
      examples: [defaultChanges]
    }),
    resources: Type.Unsafe<string[]>({
      ...CommaSeparated(names, names.length, 'ResourceName'),
      minItems: 1,
      description: `Comma-separated resources. Default: ${usual.length === names.length ? 'all' : usual.join(', ')}. ` +
        'A cursor keeps the resources of its first request.',
      examples: [usual]
    })
  }), { additionalProperties: false })
  const revision = Type.Integer({ minimum: 0, examples: [1043] })
  const changes = resources.flatMap(({ name, title, one, stored }): TSchema[] => {
    const head = {
      resource: Type.Literal(name),
      id: Id,
      revision: { ...revision, description: 'Revision of the last change. In the snapshot, that of the page.' }
    }
    return [
      Type.Object({
        ...head,
        ref: Type.Optional(
          Type.String({ description: 'Name that the `device` of the request has given to the record.', examples: ['c1'] })
        ),
        record: stored.schema
      }, {
        title: `${title}Change`, description: `The present state of ${one}, without values of other records.`
      }),
      Type.Object({ ...head, deleted: Type.Literal(true) }, { title: `${title}Deletion` })
    ]
  })
  const page = Type.Object({
    changes: Type.Array(Type.Unsafe<object>({ anyOf: changes })),
    company: Type.Integer({ description: 'Company of the records.', examples: [1] }),
    cursor: Type.String({ description: 'Where the page ended. Opaque.', examples: [exampleCursor] }),
    has_more: Type.Boolean({ description: 'Whether more pages follow. If not, the client has the state of `revision`.' }),
    revision: { ...revision, description: 'Revision of the company that the page shows.' },
    counts: Type.Optional(Type.Object(counts, {
      description: `Number of records by resource at \`revision\`. Only on the last page.${uncounted}`
    }))
  }, { title: 'Changes' })
  return {
    query, streamQuery: Type.Pick(query, [...root === undefined ? [] : [root.name], 'resources'], { additionalProperties: false }), page
  }
}

/** The parameter that limits a feed to records of its root. */
function rootParameter ({ many, feedRoot: { leftOut, examples } }: Root): TSchema {
  return Type.Unsafe<string[]>({
    type: ['string', 'array'],
    list: true,
    minItems: 1,
    maxItems: maxRoots,
    items: { type: 'string', digits: true, isId: true, pattern: '^[0-9]+$' },
    description: `Comma-separated ids of ${many}, up to ${maxRoots}. ${leftOut} A cursor keeps the ${many} of its first request.`,
    examples
  })
}
