import type { Resource } from '../resources/declaration/resource.ts'

/** The parts of a resource that a draft needs. */
type Searched = Pick<Resource, 'name' | 'references' | 'search' | 'searchReference'>

/** Patterns of the statements that `keep_revisions_of`, `keep_history_of` and `keep_search_of` run for a table. */
const kept = [
  /^create trigger (?:revision_(?:insert|update|delete)|touch_record|refuse_truncate) .* on (\w+) /,
  /^create policy "search_candidates" on "(\w+)" /
]
/** Statements that `keep_history_of` replaces, and the arguments of the triggers that it creates. */
const replacedHistory = /^drop (?:trigger|function) if exists "(?:\w+_)?save_history_/
const history = /^create trigger save_history_\w+ .* on (\w+) .* execute function \w+\((.*)\)$/
/** Statements that change the searched text of a table. Its search table then has the texts of the old column. */
const searchedText = /^alter table "(\w+)" .*"busqueda"/
/** A trigger that calls a function of its table, and the procedure that makes the function. */
const made = /^create trigger (number|copy)_\w+ .* on (\w+) .* execute function \w+\((.*)\)$/
const makers: Record<string, string> = { number: 'make_number_within', copy: 'make_copy_from_parent' }

/**
 * The first draft of a migration: the statements of MikroORM's schema comparison, with the procedures that keep revisions, counters and the
 * search table and the history in place of the statements that they run. `keep_revisions_of` also grants the service's rights.
 * @param statements of the comparison, in order
 * @param resources all resources of companies
 */
export function draftMigration (statements: string[], resources: readonly Searched[]): string[] {
  const created = new Set(statements.flatMap(statement => /^create table "(\w+)"/.exec(statement)?.[1] ?? []))
  const calls = new Set<string>()
  // Before the column is dropped, whose policy they drop.
  const ended = new Set<string>()
  // MikroORM drops and creates the policies of a table whose searched text changes. The column is in none of them.
  const changed = new Set(statements.flatMap(statement => searchedText.exec(statement)?.[1] ?? []))
  const own = statements.filter((statement) => {
    const policy = /^(?:drop|create) policy "\w+" on "(\w+)"/.exec(statement)?.[1]
    if (policy !== undefined && changed.has(policy)) return false
    const [, recorded, args] = history.exec(statement) ?? []
    if (recorded !== undefined) calls.add(`call keep_history_of('${recorded}', ${args})`)
    if (recorded !== undefined || replacedHistory.test(statement)) return false
    const searched = resources.find(({ name }) => name === searchedText.exec(statement)?.[1])
    if (searched?.search.length === 0) ended.add(`call drop_search_of('${searched.name}')`)
    else if (searched !== undefined) calls.add(searchCall(searched))
    const table = kept.map(pattern => pattern.exec(statement)?.[1]).find(name => name !== undefined)
    const resource = resources.find(({ name }) => name === table)
    if (resource === undefined) return true
    if (created.has(resource.name)) calls.add(`call keep_revisions_of('${resource.name}')`)
    if (/search/.test(statement)) calls.add(searchCall(resource))
    return false
  })
  // The counter must exist before its trigger.
  return [...ended, ...own.flatMap(withFunction), ...[...calls].sort()]
}

/** A statement, after the one that makes the function of its trigger. */
function withFunction (statement: string): string[] {
  const [, kind, table, args] = made.exec(statement) ?? []
  return kind === undefined ? [statement] : [`call ${makers[kind]}('${table}', ${args})`, statement]
}

function searchCall ({ name, references, searchReference }: Searched): string {
  const reference = searchReference === undefined ? undefined : references[searchReference]
  const more = reference === undefined ? [] : [reference.column, reference.resource]
  return `call keep_search_of(${[name, ...more].map(word => `'${word}'`).join(', ')})`
}
