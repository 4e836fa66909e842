/** The column of `q` with the user of a write. A turn sets it if its writes have several callers. */
export const callerColumn = ['caller', 'int'] as const

/**
 * SQL of the CTE that gives triggers the user of each record: the setting `app.callers`, an object by table and id (decision 49). Triggers
 * after the statement see it if the statement reads {@link areNoted}.
 * @param table of the records `admissible`, with `id` and `caller`
 */
export function notedCallers (table: string): string {
  const byRecord = `json_object_agg('${table}/' || a.id, a.caller) filter (where a.caller is not null)`
  return `noted as materialized (
        select set_config('app.callers', coalesce((${byRecord})::text, ''), true) as callers,
          case when count(a.caller) > 0 then set_config('app.user', '', true) end as no_user
        from admissible a)`
}

/** The same for a statement with one caller, whose deletes foreign keys pass on to other records. Their ids are not known here. */
export const notedCaller = `noted as materialized (
        select set_config('app.callers', '', true) as callers,
          case when count(a.caller) > 0 then set_config('app.user', max(a.caller)::text, true) end as "user"
        from admissible a)`

/** A condition that is always true. PostgreSQL runs only CTEs that are read. */
export const areNoted = '(select callers from noted) is not null'
