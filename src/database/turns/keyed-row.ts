/** A row of a company's table, by a column that is unique in the company. */
interface KeyedRow {
  table: string
  /** Alias of the table, and what is selected from it. */
  as?: string
  select?: string
  /** SQL of the company and of the key. */
  company?: string
  value: string
  /** Further condition over the row. */
  where?: string
}

/**
 * A last term of `order by` that leaves only an index with the order: the planner takes a sort for one of rows of 40 MB each. It is null
 * and costs nothing. Without it, the index that is lowest in a small table wins.
 */
export const unsorted = 'null::character(10485760)'

/**
 * SQL of the row with a key, as a subquery that is one index lookup. All indexes of a company's table begin with the company. For a small
 * or unknown table the planner finds all of them equal, and with the wrong one it reads the whole company for each row. The range and the
 * order leave only the index of the key (decision 46); with `=` the order would not count. `offset 0` keeps both, also in `exists`.
 */
export function keyedRow (key: string, row: KeyedRow): string {
  const { table, as = 't', select = `${as}.*`, company = 'q.company', value, where = 'true' } = row
  const isKeyed = `${as}.company_id = ${company} and ${as}.${key} between ${value} and ${value}`
  return `(select ${select} from ${table} ${as} where ${isKeyed} and ${where} order by ${as}.${key}, ${unsorted} limit 1 offset 0)`
}
