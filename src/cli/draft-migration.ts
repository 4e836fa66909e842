import type { Resource } from '../resources/declaration/resource.ts'

/** The parts of a resource that a draft needs. */
type Searched = Pick<Resource, 'name' | 'references' | 'search' | 'searchReference'>

/** Statements about triggers. `obra migrate` installs those of the declarations after the migrations. */
const ofTriggers = /^(?:create (?:constraint )?trigger|drop (?:trigger|function)) /
/** The policy that `keep_search_of` makes. */
const ofSearch = /^create policy "search_candidates" on "(\w+)" /
/** Statements that change the searched text of a table. Its search table then has the texts of the old column. */
const searchedText = /^alter table "(\w+)" .*"busqueda"/

/**
 * The first draft of a migration: the statements of MikroORM's schema comparison without triggers, with the rights of the service, and with
 * the procedure that keeps the search table in place of the statements that it runs.
 * @param statements of the comparison, in order
 * @param resources all resources of companies
 */
export function draftMigration (statements: string[], resources: readonly Searched[]): string[] {
  const created = statements.flatMap(statement => /^create table "(\w+)"/.exec(statement)?.[1] ?? [])
  const calls = new Set<string>()
  // Before the column is dropped, whose policy they drop.
  const ended = new Set<string>()
  // MikroORM drops and creates the policies of a table whose searched text changes. The column is in none of them.
  const changed = new Set(statements.flatMap(statement => searchedText.exec(statement)?.[1] ?? []))
  const own = statements.filter((statement) => {
    if (ofTriggers.test(statement)) return false
    const policy = /^(?:drop|create) policy "\w+" on "(\w+)"/.exec(statement)?.[1]
    if (policy !== undefined && changed.has(policy)) return false
    const searched = resources.find(({ name }) => name === searchedText.exec(statement)?.[1])
    if (searched?.search.length === 0) ended.add(`call drop_search_of('${searched.name}')`)
    else if (searched !== undefined) calls.add(searchCall(searched))
    const resource = resources.find(({ name }) => name === ofSearch.exec(statement)?.[1])
    if (resource === undefined) return true
    calls.add(searchCall(resource))
    return false
  })
  const rights = created.filter(table => resources.some(({ name }) => name === table)).flatMap(rightsOf)
  return [...ended, ...own, ...rights, ...[...calls].sort()]
}

function rightsOf (table: string): string[] {
  return [`grant select, insert, update, delete on ${table} to obra_app`, `grant usage, select on sequence ${table}_id_seq to obra_app`]
}

function searchCall ({ name, references, searchReference }: Searched): string {
  const reference = searchReference === undefined ? undefined : references[searchReference]
  const more = reference === undefined ? [] : [reference.column, reference.resource]
  return `call keep_search_of(${[name, ...more].map(word => `'${word}'`).join(', ')})`
}
