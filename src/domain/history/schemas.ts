import { Type, type Static } from '@sinclair/typebox'
import { ListQuery } from '../../resources/declaration/list-schemas.ts'
import { AccountId, Choice, Id, Instant, Nullable, ReferenceQuery } from '../../resources/declaration/schemas.ts'

const { page_size: size, cursor, format } = ListQuery([], [], {}).properties

const Moment = (description: string) => Type.String({ maxLength: 40, description, examples: ['2026-03-01'] })

const query = (names: string[]) => Type.Partial(Type.Object({
  resource: Choice(names, {
    title: 'HistoryResource', description: 'Changes of records of this resource. Required for `users` and `customers`.'
  }),
  record: Type.String({ ...ReferenceQuery, description: 'Changes of the record with this id. Ids of different resources can be equal.' }),
  contract: Type.String({ ...ReferenceQuery, description: 'Changes of this contract and of its records.' }),
  user: Type.String({
    digits: true, pattern: '^(null|[0-9]+)$', description: 'Changes by this user, or `null` for those by no user.', examples: ['7']
  }),
  desde: Moment('Changes from this day or time on.'),
  hasta: Moment('Changes up to this time, or up to the end of this day.'),
  page_size: size,
  cursor,
  format
}), { additionalProperties: false })

/** The parameters of the list. */
export type HistoryQuery = Static<ReturnType<typeof query>>

/** An entry of the history. @param names of the resources with a history */
export const EntryOf = (names: string[]) => Type.Object({
  resource: Choice(names, { title: 'HistoryResource', description: 'Resource of the record.', examples: ['contracts'] }),
  record: Type.Integer({ ...Id, description: 'Id of the record.' }),
  version: Type.Integer({
    minimum: 1, description: 'Version of the record after the change; of a deleted record, its last one.', examples: [2]
  }),
  at: Type.String({ ...Instant, description: 'Time of the change.' }),
  user: Nullable(Type.Object({
    id: AccountId,
    nombre: Nullable(Type.String(), { description: 'Present name. Null if the user no longer exists.', examples: ['Daniela Director'] })
  }), { description: 'User who made the change. Null for changes by the service itself and outside of the API.' }),
  operation: Choice(['insert', 'update', 'delete'], {
    title: 'HistoryOperation', description: 'Kind of the change.', examples: ['update']
  }),
  fields: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'By field: its value in a new or deleted record, `[old, new]` of a change. ' +
      'Empty if only values changed that answers do not have, such as a password.',
    examples: [{ monto: ['0.00', '1500.00'] }]
  })
}, { title: 'HistoryEntry' })

/** An entry of the history. */
export type Entry = Static<ReturnType<typeof EntryOf>>

/** Schemas of the list. @param names of the resources with a history */
export function historySchemas (names: string[]) {
  return {
    querystring: query(names),
    response: {
      200: Type.Object({
        next: Type.Unsafe<string | null>({
          type: 'string', nullable: true, description: 'URL of the next page. Null on the last page.', examples: [null]
        }),
        results: Type.Array(EntryOf(names))
      }, { title: 'HistoryPage' })
    }
  }
}
