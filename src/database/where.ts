/** SQL of a `where` with all conditions, or nothing without conditions. */
export function where (conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
}
