import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Access, Level, Operation } from '../../auth/access.ts'
import { isAccountOperation, may, mayManage } from '../../auth/authority.ts'
import type { Row } from '../../database/connection/sql.ts'
import { type BatchQuery, idType } from '../../database/turns/batch-requests.ts'
import { httpError, ValidationError } from '../../http/errors.ts'
import { compares, equals, refersTo, type Condition } from '../../resources/declaration/conditions.ts'
import { kinds } from '../../http/route-kinds.ts'
import type { BaseResource } from '../../resources/declaration/base-resource.ts'
import { columnsOf } from '../../resources/csv/columns.ts'
import type { Reader } from '../../resources/declaration/scope.ts'
import type { Route } from '../../resources/declaration/route-options.ts'
import { pageLink } from '../../resources/reading/handlers.ts'
import { cursorAfter, readCursor } from '../../resources/reading/page.ts'
import type { Tenant } from '../../resources/tenant.ts'
import { recordId } from '../../resources/validation/convert.ts'
import { canonicalDate, utcInstant } from '../../resources/validation/formats.ts'
import { EntryOf, historySchemas, type Entry, type HistoryQuery } from './schemas.ts'
import { historyKeys, historyStatement, ownedBy, valuesOf, type HistoryList } from './statement.ts'
import { readWholeHistory } from './whole.ts'

/** A resource with a history. Accounts have an owner, other records belong to a company. */
type HistoryOf = Pick<BaseResource, 'name' | 'access' | 'recorded'> & { owner?: { company?: string } }

const defaultPageSize = 20

/** GET of the history: one page of the entries that the caller's level admits, newest first, or all of them as CSV. */
export function listHistory (resources: readonly HistoryOf[]): Route<{ Querystring: HistoryQuery }> {
  const names = resources.map(({ name }) => name)
  const columns = columnsOf(EntryOf(names))
  const readPage = pageReader(resources)
  const toEntry = entriesOf(resources)
  return {
    config: { access: 'read', kind: kinds.read, csv: true },
    schema: {
      tags: ['history'],
      operationId: 'listHistory',
      summary: 'List the changes of records, newest first',
      description,
      ...historySchemas(names)
    },
    handler: async (request: FastifyRequest<{ Querystring: HistoryQuery }>, reply: FastifyReply) => {
      const { query, tenant } = request
      const list = listOf(resources, tenant, query)
      if (request.answerType === 'text/csv') {
        const parts = (read: Reader) => readWholeHistory(read, resources, list, toEntry)
        return await reply.sendCsv({ name: 'history', columns, resource: ownedBy[list.owner], isFixed: true, parts })
      }
      const { rows, cursor } = await readPage(tenant.reader(ownedBy[list.owner]), list, query)
      const next = cursor === undefined ? null : pageLink(request.origin(), request, 1, cursor)
      // Changes of accounts raise no revision of the company, so no page is cached.
      return await reply.sendTagged({ body: { next, results: rows.map(toEntry) } })
    }
  }
}

/**
 * The entries that a query asks for.
 * @throws {HttpError} 403 for a resource beyond the level; {@link ValidationError} for an invalid day
 */
function listOf (resources: readonly HistoryOf[], { level, zone }: Pick<Tenant, 'level' | 'zone'>, query: HistoryQuery): HistoryList {
  const visible = resources.filter(resource => isVisible(resource, level))
  const asked = query.resource === undefined ? undefined : visible.find(({ name }) => name === query.resource)
  if (query.resource !== undefined && asked === undefined) throw httpError(403)
  const owner = asked === undefined || belongsToCompany(asked) ? 'company' : level === 4 ? 'customer' : 'accounts'
  return { owner, conditions: conditionsOf(query, visible, zone) }
}

/** Makes a reader of pages: their rows, and a cursor unless it is the last one. */
function pageReader (resources: readonly HistoryOf[]) {
  const queries = new LRUCache<string, BatchQuery>({ max: 500 })

  function queryOf (list: HistoryList, isContinued: boolean): BatchQuery {
    const key = JSON.stringify([list.owner, isContinued, ...list.conditions.map(({ sql }) => sql)])
    let query = queries.get(key)
    if (query === undefined) queries.set(key, query = historyStatement(resources, list, isContinued))
    return query
  }

  return async (
    read: Reader, list: HistoryList, { page_size: size = defaultPageSize, cursor }: HistoryQuery
  ): Promise<{ rows: Row[], cursor?: string }> => {
    const start = cursor === undefined ? undefined : readCursor(cursor, historyKeys).values
    const rows = await read(queryOf(list, start !== undefined), [size + 1, ...valuesOf(list), ...start ?? []])
    const page = rows.slice(0, size)
    return { rows: page, ...rows.length > size ? { cursor: cursorAfter(page[size - 1], historyKeys) } : {} }
  }
}

/** Makes a function that converts rows to entries. */
export function entriesOf (resources: readonly HistoryOf[]): (row: Row) => Entry {
  const fields = new Map(resources.map(({ name, recorded }) => [name, recorded.fields]))
  return row => entryOf(row, fields.get(row['resource']) ?? [])
}

/** Whether records belong to a company: all but users and customers. */
function belongsToCompany ({ owner }: HistoryOf): boolean {
  return owner === undefined || owner.company !== undefined
}

/**
 * Whether a level reads the history of a resource: what it reads itself, and from level 3 the accounts that belong to the active company.
 */
function isVisible (resource: HistoryOf, level: Level): boolean {
  const read: Access = resource.access.read
  if (resource.owner !== undefined && belongsToCompany(resource)) return level >= 3
  return isAccountOperation(read) ? mayManage(level, read) : may(level, read as Operation) // its resource is of companies
}

function conditionsOf (
  { resource, record, contract, user, desde, hasta }: HistoryQuery, visible: readonly HistoryOf[], zone: string
): Condition[] {
  return [
    resource === undefined
      ? [{ sql: `h.resource in (${visible.map(({ name }) => `'${name}'`).join(', ')})` }]
      : [equals('h.resource', 'text')(resource)],
    record === undefined ? [] : [equals('h.record_id', idType)(recordId(record))],
    contract === undefined ? [] : [equals('h.contract', idType)(recordId(contract))],
    user === undefined ? [] : [refersTo('h.caller')(user)],
    desde === undefined ? [] : [compares('h.at', '>=', 'timestamptz')(startOf(desde, 'desde', zone))],
    hasta === undefined ? [] : [untilEnd(hasta, zone)]
  ].flat()
}

/** A time, or the start of a day. @throws {ValidationError} */
function startOf (text: string, field: string, zone: string): string {
  const day = canonicalDate(text)
  const instant = utcInstant(day === undefined ? text : `${day}T00:00`, zone)
  if (instant === undefined) throw new ValidationError([{ field, key: 'notInstant' }])
  return instant
}

/** Up to a time, or to the end of a day. @throws {ValidationError} */
function untilEnd (text: string, zone: string): Condition {
  const day = canonicalDate(text)
  if (day === undefined) return compares('h.at', '<=', 'timestamptz')(startOf(text, 'hasta', zone))
  const next = new Date(Date.parse(day) + 24 * 60 * 60_000).toISOString().slice(0, 10)
  // The year 9999 has no next day.
  return { sql: 'h.at < $', type: 'timestamptz', value: utcInstant(`${next}T00:00`, zone) ?? 'infinity' }
}

function entryOf (
  { resource, record, version, at, caller, nombre, operation, columns, former, present }: Row, fields: HistoryOf['recorded']['fields']
): Entry {
  const [before, after] = [JSON.parse(former ?? '{}'), JSON.parse(present ?? '{}')]
  const known = fields.filter(({ column }) => columns.includes(column))
  return {
    resource,
    record,
    version,
    at,
    user: caller === null ? null : { id: caller, nombre },
    operation,
    fields: Object.fromEntries(known.map(({ field }) => [field, operation === 'update' ? [before[field], after[field]] : after[field]]))
  }
}

const description =
  'An entry has the values of a new or deleted record, or the old and the new value of each changed field. ' +
  'Passwords, secrets and tokens are in no entry. Every level reads the changes of business data. ' +
  'Levels 3, 4 and 6 also read the changes of webhooks. Levels 3 to 6 also read the changes of the company and its memberships. ' +
  'Users and customers are listed only if `resource` names them, by the rules of `users/` and `customers/`.'
