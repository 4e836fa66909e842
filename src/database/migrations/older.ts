/** The migration that replaces all earlier ones. */
const baseline = '58-last-backup'

/** The last commit that has the earlier migrations. */
const lastCommit = 'd1d98f9'

/** Whether the baseline replaces this migration. */
export function isReplaced (name: string): boolean {
  return Number.parseInt(name) < Number.parseInt(baseline)
}

/**
 * The sentence for a database or backup from before the baseline.
 * @param what the subject of the sentence
 * @param names of the migrations that have run, in their order
 * @param remedy what to do with the code of the last commit that has the earlier migrations
 * @returns undefined if nothing has run, or the baseline has
 */
export function olderMessage (what: string, names: readonly string[], remedy = 'run `obra migrate`'): string | undefined {
  if (names.length === 0 || !names.every(isReplaced)) return undefined
  return `${what} is at migration ${names.at(-1)}, and this release migrates from ${baseline} on: ` +
    `first ${remedy} with the code of commit ${lastCommit}`
}
