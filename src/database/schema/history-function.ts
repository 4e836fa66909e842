/** What the history of a table has (decision 51). */
export interface HistoryColumns {
  /** Columns whose values it has. */
  shown: readonly string[]
  /** Columns whose changes it notes, without the values. */
  hidden: readonly string[]
  /** The column with the company of a record. Without it, the record belongs to none. */
  company?: string
  /** The column with the record to which an entry belongs, by which clients filter the history. */
  root?: string | undefined
  /** The column with the customer of an account that belongs to no company. */
  customer?: string
}

/** The function of the triggers that write the history of a table. */
export function historyFunction (table: string, { shown, hidden, company, root, customer }: HistoryColumns): string {
  const ownCompany = company === undefined ? '0' : `r.${company}`
  const contract = root === undefined ? 'null::bigint' : `r.${root}`
  const caller = `coalesce((callers ->> ('${table}/' || r.id))::int, actor)`
  const entry = (row: string, operation: string) =>
    `insert into history (company_id, customer, contract, resource, record_id, version, at, caller, operation, fields)
    select ${ownCompany}, ${customer === undefined ? 'null::int' : `${row}.${customer}`}, ${contract},
      '${table}', r.id, r.version, changed_at, ${caller}, '${operation}'`
  const values = `(select to_jsonb(v) from (select ${shown.map(column => `r.${column}`).join(', ')}) v)`
  const admit = (rows: string) =>
    `perform set_config('app.companies', (select array_agg(distinct ${ownCompany})::text from ${rows} r), true)`
  // Compares column by column: a row as jsonb, taken apart again, costs eight times as much.
  const changed = shown.map(column => `
        case when o.${column} is distinct from r.${column}
          then jsonb_build_object('${column}', jsonb_build_array(o.${column}, r.${column})) else '{}' end`).join(' ||')
  const isSame = hidden.map(column => `o.${column} is not distinct from r.${column}`).join(' and ') || 'true'
  const left = customer === undefined
    ? ''
    : `${entry('o', 'update')}, jsonb_build_object('${customer}', jsonb_build_array(o.${customer}, null))
    from new_rows r join old_rows o on o.id = r.id where ${moves(customer)};`
  // The number of rows of a transition table is known only when the statement runs, so the plan must suit many rows. Nobody else may put
  // the function on a table of their own, whose rows would then have a history as those of this table. Writes to accounts admit no company.
  return `create or replace function ${table}_history() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set enable_nestloop = off set enable_mergejoin = off set jit = off as $$
declare
  callers jsonb := nullif(current_setting('app.callers', true), '')::jsonb;
  actor int := nullif(current_setting('app.user', true), '')::int;
  admitted text := coalesce(current_setting('app.companies', true), '');
  changed_at timestamptz := clock_timestamp();
begin
  if tg_op = 'INSERT' then
    ${admit('new_rows')};
    ${entry('r', 'insert')}, ${values} from new_rows r;
  elsif tg_op = 'DELETE' then
    ${admit('old_rows')};
    ${entry('r', 'delete')}, ${values} from old_rows r;
  else
    ${admit('new_rows')};
    ${entry('r', 'update')}, coalesce(${customer === undefined ? 'f.fields' : arrived(customer)}, '{}')
    from new_rows r join old_rows o on o.id = r.id
    cross join lateral (select nullif(${changed || "'{}'::jsonb"}, '{}') as fields offset 0) f
    where f.fields is not null or not (${isSame});
    ${left}
  end if;
  perform set_config('app.companies', admitted, true);
  return null;
end
$$;
revoke execute on function ${table}_history() from public;
`
}

/** Whether an account moves to another customer. It leaves one history and enters the other. Neither shows the values of the other side. */
function moves (customer: string): string {
  return `o.${customer} is distinct from r.${customer}`
}

function arrived (customer: string): string {
  return `case when ${moves(customer)}
      then (select jsonb_object_agg(c.key, jsonb_build_array(null, c.value -> 1)) from jsonb_each(f.fields) c)
      else f.fields end`
}
