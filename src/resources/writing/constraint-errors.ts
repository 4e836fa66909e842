import { brokenConstraints } from '../../database/connection/channels.ts'
import { sqlState } from '../../database/connection/sql-errors.ts'
import { httpError, nonFieldErrors, ValidationError, type Problem } from '../../http/errors.ts'
import type { ConstraintMeaning } from '../declaration/constraint.ts'
import type { Values } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import { transitionName, transitionProblem, type States } from '../declaration/states.ts'

/** An error of the database about the values of a write, by the fields of its protocol. */
interface DataError {
  code: string
  constraint?: string
  column?: string
  detail?: string
}

/** The parts of a resource that give its constraints a meaning. */
type Constrained = Pick<Resource, 'name' | 'references' | 'meanings'> & { columns: Record<string, unknown>, states?: States | undefined }

/**
 * `<table>_<field>_unique` and so on: the names that entities give, and those of triggers: `sum` for sums of children, `fixed` for fixed
 * values.
 */
const conventional = /^(\w+)_(unique|foreign|check|sum|fixed)$/

/** The states of constraints and values: null, foreign key, unique, check, exclusion, text too long, number out of range. */
const mapped = ['23502', '23503', '23505', '23514', '23P01', '22001', '22003']

/**
 * What a violated constraint means to the caller: 400 under the field that its name or the declaration tells, or 409 if the state of a
 * record forbids the write. A constraint without a known name is a 400 under `non_field_errors`, and is published for the log.
 * @param record the values of the write
 * @returns the error itself if it is not about a constraint or a value
 */
export function explained (resource: Constrained, record: Values, error: unknown): unknown {
  if (!mapped.includes(sqlState(error) ?? '')) return error
  const meaning = meaningOf(resource, record, Object(error))
  if (meaning === undefined) return unexplained(error)
  return 'conflict' in meaning ? httpError(409, { key: meaning.conflict }) : new ValidationError([meaning])
}

/** The 400 for an error about values whose cause is unknown. Publishes the error. */
export function unexplained (error: unknown): ValidationError {
  brokenConstraints.publish(error)
  return new ValidationError([{ field: nonFieldErrors, key: sqlState(error) === '22003' ? 'numberTooLarge' : 'ruleBroken' }])
}

function meaningOf (
  resource: Constrained, record: Values, { code, constraint = '', column, detail }: DataError
): ConstraintMeaning | undefined {
  const { name, meanings, states } = resource
  if (states !== undefined && constraint === transitionName(name)) return transitionProblem(states, record, detail)
  if (meanings[constraint] !== undefined) return meanings[constraint]
  if (code === '23502' && column !== undefined) return { field: column.replace(/_id$/, ''), key: 'null' }
  const [, middle = '', kind] = conventional.exec(constraint) ?? []
  const own = middle.startsWith(`${name}_`) ? middle.slice(name.length + 1) : undefined
  if (own !== undefined && kind === 'sum') return { field: own, key: 'sumTooLarge' }
  const field = own === undefined ? undefined : fieldOf(resource, own)
  if (field === undefined) return undefined
  if (kind === 'unique') return { field, key: 'unique' }
  if (kind === 'fixed') return { field, key: 'immutable' }
  return kind === 'foreign' ? missing(resource, field, record[field]) : { field, key: 'invalidValue' }
}

/** The field with a name, or whose column has it. */
function fieldOf ({ columns, references }: Constrained, name: string): string | undefined {
  return [name, name.replace(/_id$/, '')].find(field => Object.hasOwn(columns, field) || Object.hasOwn(references, field))
}

/** The problem of a reference to a record that does not exist. */
export function missing ({ references }: Pick<Resource, 'references'>, field: string, value: unknown): Problem {
  return typeof value === 'string'
    ? { field, key: 'nameDoesNotExist', values: { slug_name: references[field]?.byName ?? 'id', value } }
    : { field, key: 'doesNotExist', values: { pk_value: Number(value) } }
}
