import { abandonedRoutines, routinesSql, staleRoutines, type RoutineRow } from '../../database/schema/load-routines.ts'
import { declared } from '../../domain/entities/declared.ts'
import { findingsOf, type Finding } from './finding.ts'
import type { Query } from './query.ts'

/** Checks that the functions of the database are those of this release: rules and sums depend on them. */
export async function examineRoutines (query: Query): Promise<Finding[]> {
  const { ok, failed } = findingsOf('functions')
  const { routines } = declared
  const rows = await query<RoutineRow>(routinesSql)
  const differing = [...staleRoutines(routines, rows), ...abandonedRoutines(routines, rows)].map(({ name }) => name)
  if (differing.length === 0) return [ok(`all ${routines.length} are those of this release`)]
  const differ = differing.length === 1 ? 'differs' : 'differ'
  return [failed(`${differing.join(', ')} ${differ} from this release: run \`obra migrate\``)]
}
