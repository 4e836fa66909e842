/**
 * The function of the triggers that raise the revision of a company and write the table `changes`, for a table of a company's records. The
 * counter of its records is the column of `company_revisions` with the table's name.
 */
export function revisionFunction (table: string): string {
  const stamped = 'revision = revision + 1, stamp = stamp_of(clock_timestamp())'
  const entries = (operation: string, rows: string) =>
    `insert into changes (company_id, revision, resource, record_id, operation, changed_at)
    select company_id, revision, '${table}', id, '${operation}', stamp_time(stamp) from ${rows} join raised using (company_id)`
  const counted = (rows: string, sign: '+' | '-') => `perform lock_companies(array(select distinct company_id from ${rows}));
    with touched as (select company_id, count(*) as n from ${rows} group by company_id),
    raised as (
      update company_revisions r set ${stamped}, ${table} = ${table} ${sign} touched.n
      from touched where r.company_id = touched.company_id returning r.company_id, r.revision, r.stamp)`
  // Nobody else may put it on a table of their own, whose rows would then be counted as those of this table.
  return `create or replace function ${table}_revision() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    ${counted('new_rows', '+')}
    ${entries('insert', 'new_rows')};
  elsif tg_op = 'DELETE' then
    ${counted('old_rows', '-')}
    ${entries('delete', 'old_rows')};
  else
    perform lock_companies(array(select distinct company_id from new_rows));
    with raised as (
      update company_revisions set ${stamped}
      where company_id in (select company_id from new_rows) returning company_id, revision, stamp)
    ${entries('update', 'new_rows')};
  end if;
  return null;
end
$$;
revoke execute on function ${table}_revision() from public;
`
}
