/**
 * The parts of an SQL condition that `and` connects, as they are written. A condition with `or` outside of brackets is one part, and so is
 * one with `between`.
 */
export function conjuncts (sql: string): string[] {
  const parts: string[] = []
  let [depth, start] = [0, 0]
  for (const { 0: token, index } of sql.matchAll(/'[^']*'|[()]|\b(?:case|end|and|or|between)\b/g)) {
    if (token === '(' || token === 'case') depth++
    else if (token === ')' || token === 'end') depth--
    else if (depth === 0 && (token === 'or' || token === 'between')) return [sql]
    else if (depth === 0 && token === 'and') {
      parts.push(sql.slice(start, index).trim())
      start = index + token.length
    }
  }
  return [...parts, sql.slice(start).trim()]
}
