const marker = ' = by_index('
const quoted = /'(?:[^']|'')*'|--[^\n]*/y

/**
 * The last term of an order that no sort may make: the planner expects 40 MB for each of these nulls. Without it, the index with the fewest
 * levels wins while the table is small. Functions have `enable_sort = off` instead. A setting would keep
 * PostgreSQL from inlining `estimate_amounts` and `line_totals_without`, so these two have neither.
 */
export const unsorted = 'null::character(10485760)'

/**
 * Compiles `column = by_index(value)` in queries. They use the index that has the column after the other columns of the condition, also
 * with a plan that was made for a small table (decision 46). To the planner, all indexes of a small table look equal. A range and its
 * order suit only one of them. With `=`, the order would not count. `offset 0` keeps the order, and the query apart from the one around it.
 * @param last the last term of the order, if the query has none of its own; '' for functions
 */
export function byIndex (sql: string, last = unsorted): string {
  const at = sql.indexOf(marker)
  if (at === -1) return sql
  const before = sql.slice(0, at)
  const column = before.slice(Math.max(...[' ', '(', '\n'].map(character => before.lastIndexOf(character))) + 1)
  const closing = endOf(sql, at + marker.length)
  const value = sql.slice(at + marker.length, closing)
  const end = endOf(sql, closing + 1)
  const rest = orderedBy(column, sql.slice(closing + 1, end), last)
  return byIndex(`${before} between ${value} and ${value}${rest}${sql.slice(end)}`, last)
}

/**
 * The rest of a query, after its condition, with an order. An order of its own gets no further term: if no index has it, the rows must be
 * sorted.
 */
function orderedBy (column: string, rest: string, last: string): string {
  const ordered = topLevel(rest, /\border by\s+/)
  const fence = topLevel(rest, /\boffset\b/) === undefined ? ' offset 0' : ''
  const text = rest.trimEnd()
  const space = rest.slice(text.length)
  if (ordered !== undefined) return `${text.slice(0, ordered.end)}${column}, ${text.slice(ordered.end)}${fence}${space}`
  const at = topLevel(text, /\blimit\b/)?.start ?? text.length
  const terms = last === '' ? column : `${column}, ${last}`
  const limit = text.slice(at)
  return `${text.slice(0, at).trimEnd()} order by ${terms}${limit === '' ? '' : ` ${limit}`}${fence}${space}`
}

/** The place of the first match outside of brackets, quotes and comments. */
function topLevel (sql: string, pattern: RegExp): { start: number, end: number } | undefined {
  const sticky = new RegExp(pattern, 'y')
  for (let at = 0, depth = 0; at < sql.length; at = next(sql, at)) {
    if (sql[at] === '(') depth++
    else if (sql[at] === ')') depth--
    sticky.lastIndex = at
    if (depth === 0 && sticky.test(sql)) return { start: at, end: sticky.lastIndex }
  }
  return undefined
}

/** The end of the query, or of the arguments, in which a place is. */
function endOf (sql: string, start: number): number {
  let at = start
  for (let depth = 0; at < sql.length && (depth > 0 || !');'.includes(sql[at])); at = next(sql, at)) {
    if (sql[at] === '(') depth++
    else if (sql[at] === ')') depth--
  }
  return at
}

/** The next place. A text in quotes, or a comment, is one. */
function next (sql: string, at: number): number {
  quoted.lastIndex = at
  return quoted.test(sql) ? quoted.lastIndex : at + 1
}
