import type { DefinedTrigger } from './triggers.ts'
import { filed, hashOf, inOrder, routineOf, type Routine } from './routines.ts'

/** The parts of an entity's metadata that declare triggers. */
interface DeclaringTable {
  tableName: string
  triggers?: readonly DefinedTrigger[]
}

/** A trigger of an entity, as a complete statement. */
export interface DeclaredTrigger {
  name: string
  table: string
  sql: string
  hash: string
}

/** The functions and triggers that `obra migrate` loads after the migrations. */
export interface Declared {
  /** The functions of files and of declarations. Each comes after the functions that it names. */
  routines: readonly Routine[]
  triggers: readonly DeclaredTrigger[]
  /** The name under which a database notes, among its migrations, that it has loaded them. It contains a hash of all texts. */
  version: string
}

const versionPrefix = 'routines-'

/** Whether a name in the table of migrations notes that functions and triggers were loaded. */
export function isLoad (name: string): boolean {
  return name.startsWith(versionPrefix)
}

/**
 * Collects the functions and triggers of a release.
 * @param tables metadata of the entities
 * @throws {Error} if two declarations have other texts of one function, or a file has it too
 */
export function declaredBy (tables: Iterable<DeclaringTable>): Declared {
  const known = new Map(filed.map(routine => [routine.name, routine]))
  const triggers: DeclaredTrigger[] = []
  for (const { tableName: table, triggers: defined = [] } of tables) {
    for (const { name = '', expression = '', routine } of defined) {
      triggers.push({ name, table, sql: expression, hash: hashOf(expression) })
      if (routine !== undefined) add(known, routineOf(calledBy(expression), routine, `the declaration of ${table}`))
    }
  }
  const routines = sortedBy([...known.values()], ({ origin, name }) => `${origin} ${name}`)
  const texts = [...routines, ...triggers].map(({ name, hash }) => `${name} ${hash}`).sort()
  return {
    routines: inOrder(routines),
    triggers: sortedBy(triggers, ({ table, name }) => `${table} ${name}`),
    version: `${versionPrefix}${hashOf(texts.join('\n')).slice(0, 16)}`
  }
}

function sortedBy<T> (items: T[], key: (item: T) => string): T[] {
  return items.sort((a, b) => key(a) < key(b) ? -1 : 1)
}

/** The function that a trigger calls. */
function calledBy (statement: string): string {
  return /execute function (\w+)/.exec(statement)?.[1] ?? ''
}

function add (known: Map<string, Routine>, routine: Routine): void {
  const other = known.get(routine.name)
  if (other !== undefined && other.hash !== routine.hash) {
    throw new Error(`${other.origin} and ${routine.origin} have other texts of ${routine.name}`)
  }
  known.set(routine.name, other ?? routine)
}
