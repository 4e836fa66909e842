import type { Scoped } from '../records.ts'
import type { Reader } from '../declaration/scope.ts'
import type { ListPart } from '../reading/whole-list.ts'
import type { Column } from './columns.ts'

/** A list to export. */
export interface ExportedList {
  /** Name of the file, without `.csv`. */
  name: string
  columns: Column[]
  /** The resource whose scope limits the rows. */
  resource: Scoped
  /** Whether its rows never change. Their ids are read first, so that parts of different snapshots belong together. */
  isFixed?: boolean
  /** Reads the rows. @throws {ValidationError} for too many */
  parts: (read: Reader) => AsyncIterable<ListPart>
}
