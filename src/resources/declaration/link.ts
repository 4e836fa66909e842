import type { Texts } from '../../http/messages.ts'
import type { OnDelete } from './field-spec.ts'

/** A field that refers to another record of the same company by id or, with `byName`, also by the exact text of that column. */
export interface Reference {
  resource: string
  column: string
  byName?: string
}

/** The records of a resource that refer to a record by one of their fields. */
export interface Link {
  /** The resource of the records. */
  from: string
  field: string
  /** The column with the id of the referred record. */
  column: string
  /** The resource of the referred record. */
  to: string
  onDelete: OnDelete
  /** The records in messages, such as `subcontracts`. */
  called: Texts
  /** Whether the referred record has them as its parts. Otherwise they use it. */
  isPart: boolean
  /** Whether the record copies the reference from another record. */
  isCopied: boolean
}

/** Records that prevent a delete: they refer to the record, or to one that `through` cascades is deleted with it. */
export interface Dependent extends Link {
  /** The cascades, from the record on. */
  through: Link[]
}

/** A column within which values are unique. */
export interface ScopeColumn {
  column: string
  isNullable: boolean
}
