/**
 * SQL for the used share of each sequence's range, from 0 to 1. The range of a `bigint` ends at 2^53 − 1, where JSON numbers stop being
 * exact. Omits sequences that the role may not read.
 */
export const sequenceUsage = `
  select sequencename::text as name, last_value::float8 / least(max_value, ${Number.MAX_SAFE_INTEGER}) as share
  from pg_sequences where schemaname = 'public' and last_value is not null order by 1`
