import type { Operation } from '../../auth/access.ts'
import type { CopiedColumn } from '../../database/schema/child-triggers.ts'
import type { Problem } from '../../http/errors.ts'
import type { Texts } from '../../http/messages.ts'
import type { BaseResource, CompanyAccess, FeedRoot } from './base-resource.ts'
import type { Constraint, KeptRecords } from './constraint.ts'
import type { Fields } from './field.ts'
import type { SumSpec } from './field-spec.ts'
import type { Values } from './input.ts'
import type { Dependent, Link, ScopeColumn } from './link.ts'
import type { ParentState } from './parent-state.ts'
import type { Changeable, States } from './states.ts'

/**
 * A resource of a company, as the engine for pages, records, creates, updates and deletes uses it. The functions of its declaration are
 * methods here, so that they can take the values that the schemas of the fields have validated.
 */
export interface Resource<F extends Fields = Fields> extends BaseResource<F> {
  kind: 'company'
  access: CompanyAccess
  /** The description of its routes in the OpenAPI document. */
  about: string
  feed: 'always' | 'named'
  /** Whether clients can limit the change feed to some of its records, and to the records that refer to these. One resource at most. */
  feedRoot?: FeedRoot | undefined
  /**
   * The joins of a new record in the statement that inserts it, if `joins` reads other records of the table: a statement does not see its
   * own inserts, which are `t`.
   */
  joinsOfNew?: string
  /** Default values of a new record. Other fields are null. */
  defaults: Values
  /** Fields whose values are unique among the records with the same references, with the columns of these. */
  uniqueWithin: Record<string, ScopeColumn[]>
  /** Fields that only a new record gets. */
  fixed: string[]
  /** Fields to which a body can give null only if the record has it. */
  notNull: string[]
  /** Columns that a new record copies from its parents. */
  copies: CopiedColumn[]
  /** The sums that fields keep. */
  sums: Record<string, readonly SumSpec[]>
  /** The state of the parent that allows writes. */
  writableStates: ReadonlyArray<ParentState>
  constraints: Constraint[]
  /**
   * Conflicts between new records of one statement, except unique values: SQL over the new ones, `n`, and their places `n.i`, with window
   * functions. True for a record to skip.
   */
  clashes?: string
  /** A record in messages: `a contract`. */
  called: Texts
  /** The resource's own references to records of companies. */
  links: Link[]
  /** References that prevent a delete of its records. `linkResources` sets them. */
  dependents: Dependent[]
  /** Whether a delete of its records deletes others too. `linkResources` sets it. */
  cascades: boolean
  kept?: KeptRecords | undefined
  /**
   * Set it if the check of a write depends on another record written earlier in the bulk, except for unique values. Both records have the
   * same `group`, and `decides` marks the earlier one. The bulk writes the later one in a later set.
   */
  order?(next: Values, current: Values | undefined): { group: unknown, decides: boolean } | undefined
  /** Values of fields that follow from others in the record after the change. Runs before the rules. */
  complete?(next: Values, given: Values): Values
  /**
   * Rules between fields, for the complete record after the change. `current` is the record before an update, `given` the fields of the
   * request. Fields of `next` that are `undefined` have been refused already, so rules skip them.
   */
  rules(next: Values, current: Values | undefined, given: Values): Problem[]
  states?: States | undefined
  changeableWhile?: Changeable | undefined
  /** The operation that a change requires, if it is more than `edit`. `current` is undefined for a new record. */
  demands?(given: Values, current: Values | undefined): Operation
}
