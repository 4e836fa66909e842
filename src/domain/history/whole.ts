import type { Row } from '../../database/connection/sql.ts'
import type { Reader } from '../../resources/declaration/scope.ts'
import { keysetPages } from '../../resources/reading/keyset.ts'
import { maxListRows, partsOfIds, type ListPart } from '../../resources/reading/whole-list.ts'
import {
  historyEntries, historyIds, historyStatement, valuesOf, type HistoryList, type HistoryOwner, type WithHistory
} from './statement.ts'

/** Entries never change, so their revision is always the same. */
const revision = { revision: 0, stamp: 0 }

/** Reads all entries of a list in parts. @param toEntry converts a row @throws {ValidationError} for too many */
export async function * readWholeHistory (
  read: Reader, resources: readonly WithHistory[], list: HistoryList, toEntry: (row: Row) => Row
): AsyncGenerator<ListPart> {
  const [all] = await read(historyIds(list), [maxListRows + 1, ...valuesOf(list)])
  const entries = historyEntries(resources, list.owner)
  for (const part of partsOfIds(all)) yield { ...revision, rows: (await read(entries, [part])).map(toEntry) }
}

/** Keys after those of all entries. */
const newest = { at: 'infinity', id: Number.MAX_SAFE_INTEGER }

/** Reads all entries of an owner in one snapshot, the newest first, without the limit of a list. @param toEntry converts a row */
export async function * readAllEntries (
  read: Reader, resources: readonly WithHistory[], owner: HistoryOwner, toEntry: (row: Row) => Row
): AsyncGenerator<Row[]> {
  const query = historyStatement(resources, { owner, conditions: [] }, true)
  for await (const rows of keysetPages(read, query, newest)) yield rows.map(toEntry)
}
