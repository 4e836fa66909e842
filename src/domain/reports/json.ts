/** SQL of a JSON object of expressions. */
export function object (values: Record<string, string>): string {
  return `json_build_object(${Object.entries(values).map(([name, sql]) => `'${name}', ${sql}`).join(', ')})`
}

/** The same of decimals, which JSON has as text. */
export function decimals (values: Record<string, string>): string {
  return object(Object.fromEntries(Object.entries(values).map(([name, sql]) => [name, `(${sql})::text`])))
}
