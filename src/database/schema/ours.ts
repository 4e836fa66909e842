/**
 * SQL condition: an object belongs to no extension, such as `pg_stat_statements`. Extensions bring their own privileges.
 * @param catalog of the object
 * @param id SQL of its id
 */
export function isOurs (catalog: 'pg_class' | 'pg_proc', id: string): string {
  return `not exists (select from pg_depend e where e.classid = '${catalog}'::regclass and e.objid = ${id} and e.deptype = 'e')`
}
