import { byIndex } from '../by-index.ts'

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
  where?: string | undefined
}

/** SQL of the row with a key, as a subquery that is one lookup in the index of the key (decision 46). */
export function keyedRow (key: string, row: KeyedRow): string {
  const { table, as = 't', select = `${as}.*`, company = 'q.company', value, where } = row
  const isKeyed = `${as}.company_id = ${company} and ${as}.${key} = by_index(${value})`
  return byIndex(`(select ${select} from ${table} ${as} where ${isKeyed}${where === undefined ? '' : ` and ${where}`} limit 1)`)
}
