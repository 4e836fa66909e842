/** Limit of what a message lists one by one. */
export const maxListed = 5

/** The first names, and the number of the others. */
export function listed (names: string[]): string {
  const rest = names.length - maxListed
  return names.slice(0, maxListed).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
