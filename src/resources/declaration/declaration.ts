import type { AccountOperation, Operation } from '../../auth/access.ts'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { StatementEvent } from '../../database/schema/child-triggers.ts'
import type { HistoryColumns } from '../../database/schema/history-function.ts'
import type { Triggers } from '../../database/schema/triggers.ts'
import type { Problem } from '../../http/errors.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import type { Proposal, RuleContext, StoredAccount } from './account-resource.ts'
import type { Fields } from './field.ts'
import type { CompanyAccess, FeedRoot, ResourceAccess, RouteWords, Wording } from './base-resource.ts'
import type { Constraint, ConstraintMeaning, KeptRecords } from './constraint.ts'
import type { Input, Values, WriteRequest } from './input.ts'
import type { ShownOnce } from './route-schemas.ts'
import type { Reach, Scope } from './scope.ts'
import type { Changeable, States } from './states.ts'
import type { Columns } from './table.ts'
import type { TotalsDeclaration } from './totals.ts'
import type { BodyOf, Checked, RecordOf, Targets } from './values.ts'

/** An index over columns, by their MikroORM properties, or over an expression. */
interface Index {
  name: string
  properties?: string[]
  where?: string
  include?: string[]
  expression?: string
}

/** A check or exclusion, and what its violation means. By default it follows from the name `<table>_<field>_check`. */
interface Check {
  name: string
  expression: string
  field?: string
  key?: ProblemKey
}

/** Parts of a table besides the columns of the fields. */
export interface TableDeclaration {
  checks?: Check[]
  uniques?: Index[]
  indexes?: Index[]
  triggers?: Triggers
  /** What the constraints mean that triggers name in their errors. */
  raises?: Record<string, ConstraintMeaning>
}

/** What resources of companies and of accounts declare. The functions of a declaration get the values of its fields. */
export interface Declaration<F extends Fields> extends Wording {
  /** Texts of the OpenAPI document that only this resource has. */
  routes?: RouteWords
  /** Path segment, table, counter column and name in the table `changes`. */
  name: string
  /** Name of the entity and title of the schemas. */
  title: string
  fields: F & Checked<F>
  /** Example bodies. */
  examples?: { create?: object, update?: object, patch?: object }
  /** Fields of other answers that bodies can send back. */
  alsoShown?: readonly string[]
  /** Maximum items of a bulk. Default: 1,000. */
  maxItems?: number
  /** A field that only the answer to POST has. */
  once?: ShownOnce
  /** Joins for the SQL of the fields. */
  joins?: string
  /** Joins for the SQL of orderings and filters. */
  filterJoins?: string
  /** Joins for the SQL of {@link Field.detail} fields. */
  detailJoins?: string
  /**
   * `columns` are the texts that `search` covers. `others` is SQL over the joins for searched columns of other resources. `reference` is
   * the field that refers to them.
   */
  search: { columns: ReadonlyArray<keyof F & string>, others?: readonly string[], reference?: keyof F & string }
  /** Sums that lists can return. */
  totals?: TotalsDeclaration<NoInfer<F>>
  /** Additional columns, by MikroORM property. */
  columns?: Columns
  table?: TableDeclaration
  /**
   * Runs before the transaction of a POST, PUT or PATCH, for example to hash a password. Adds problems to the input. Only for a resource
   * with its own routes, without `bulk/` and mutations.
   */
  prepare?(request: WriteRequest, input: Input<BodyOf<NoInfer<F>>>): Promise<Input<BodyOf<NoInfer<F>>>>
}

/**
 * The state of a parent that allows writes of its records, with the 409 otherwise:
 * `{ estimate: 'estado', is: 'borrador', otherwise: 'estimateNotDraft' }`. The key `estimate` is a fixed reference, `estado` a field there.
 * A state that is no column is SQL over the parent, `p`: `{ of: 'contract', state: 'state_of(p.company_id, p.id)', … }`. Fields of `except`
 * and `external_id` stay writable. `where` is an SQL condition over the record, `w`, for which the state counts. With `ofNew`, a new record
 * gets a 400 with this message under the reference.
 */
export type WritableWhile<F extends Fields> = (Partial<Targets<F>> | { of: keyof Targets<F> & string, state: string }) & {
  is: string | readonly string[]
  otherwise: ProblemKey
  ofNew?: ProblemKey
  except?: ReadonlyArray<keyof F & string>
  where?: string
}

/** A change of the record that `of` refers to, in the statement that writes the records. It raises the version there, like any change. */
interface Effect<Of extends string = string, Column extends string = string> {
  on: readonly StatementEvent[]
  of: Of
  /** SQL by column of the other record. */
  set: { readonly [C in Column]?: string }
  /** SQL condition over the other record, `p`, after the statement and its sums. */
  where: string
}

/** Effects on the records that the references of `F` refer to. */
type EffectOf<F extends Fields> = { [K in keyof Targets<F> & string]: Effect<K, Targets<F>[K]> }[keyof Targets<F> & string]

/** Declaration of a resource of a company. */
export interface CompanyDeclaration<F extends Fields> extends Declaration<F> {
  /** The description of its routes in the OpenAPI document. Default: `many`, such as `Warehouses`. */
  about?: string
  /** Names of a record and of several in Spanish messages: `un contrato`, `contratos`. */
  spanish: Wording
  /** Access that the routes require. Default: the operations `read`, `edit` and `delete`. */
  access?: CompanyAccess
  /** Whether the table has an index by `updated_at`, for companies with very many records. */
  isLarge?: boolean
  /**
   * Whether the change feed and webhooks have its records `always`, or only for clients that name the resource (the default): a client that
   * names none must not receive records of a kind that it does not know.
   */
  feed?: 'always' | 'named'
  /** {@link Resource.feedRoot} */
  feedRoot?: FeedRoot
  /** {@link Resource.joinsOfNew} */
  joinsOfNew?: string
  constraints?: ReadonlyArray<Constraint<keyof F & string>>
  /** {@link Resource.clashes} */
  clashes?: string
  kept?: KeptRecords
  writableWhile?: WritableWhile<NoInfer<F>> | ReadonlyArray<WritableWhile<NoInfer<F>>>
  effects?: ReadonlyArray<EffectOf<NoInfer<F>>>
  /** {@link Resource.order} */
  order?(next: BodyOf<NoInfer<F>>, current: RecordOf<NoInfer<F>> | undefined): { group: unknown, decides: boolean } | undefined
  /** {@link Resource.complete} */
  complete?(next: BodyOf<NoInfer<F>>, given: BodyOf<NoInfer<F>>): BodyOf<NoInfer<F>>
  /** {@link Resource.rules} */
  rules?(next: BodyOf<NoInfer<F>>, current: RecordOf<NoInfer<F>> | undefined, given: BodyOf<NoInfer<F>>): Problem[]
  states?: States
  /** The state of the record itself that allows changes of some of its fields, or of the record. */
  changeableWhile?: Changeable & { fields?: ReadonlyArray<keyof F & string> }
  /** {@link Resource.demands} */
  demands?(given: BodyOf<NoInfer<F>>, current: RecordOf<NoInfer<F>> | undefined): Operation
}

/** Access that the routes of an account resource require. */
export type AccountAccess = Record<keyof ResourceAccess, AccountOperation>

/** Declaration of a resource of accounts. */
export interface AccountDeclaration<F extends Fields> extends Declaration<F> {
  access?: AccountAccess
  scope: Scope
  /** {@link AccountResource.owner} */
  owner: Pick<HistoryColumns, 'company' | 'customer'>
  /** Default values of a new record, besides those of the fields. */
  initial?: (reach: Reach) => Values
  /** {@link AccountResource.problems} */
  problems(proposal: Proposal<NoInfer<F>>, rules: RuleContext): Promise<Problem[]>
  /** {@link AccountResource.mayChange} */
  mayChange?(record: StoredAccount<NoInfer<F>>, reach: Reach): boolean
  /** {@link AccountResource.lock} */
  lock?(id: number, rules: RuleContext): Promise<void>
  /** {@link AccountResource.afterwards} */
  afterwards?(id: number, given: BodyOf<NoInfer<F>>, rules: RuleContext): Promise<void>
  /** {@link AccountResource.removal} */
  removal?(record: StoredAccount<NoInfer<F>>, em: EntityManager, rules: RuleContext): Promise<void>
}
