/** The names of the metrics in a PromQL expression: its words outside of strings that belong to the service or to its libraries. */
export function metricsIn (expr: string): string[] {
  return expr.replaceAll(/"[^"]*"/g, '').match(/\b(obra|http|nodejs|process)_\w+/g) ?? []
}
