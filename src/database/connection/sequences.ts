/**
 * SQL for the used share (0 to 1) of each sequence's range. JSON numbers are exact up to 2^53 − 1, so the range of a `bigint` ends there.
 * Sequences that the role cannot read are missing.
 */
export const sequenceUsage = `
  select sequencename::text as name, last_value::float8 / least(max_value, ${Number.MAX_SAFE_INTEGER}) as share
  from pg_sequences where schemaname = 'public' and last_value is not null order by 1`
