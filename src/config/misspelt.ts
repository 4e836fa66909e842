import { configSchema } from './variables.ts'

const names = Object.keys(configSchema.properties)

/** Names with fewer letters are one letter from too many other words. */
const minLength = 7

/**
 * Variables that are probably meant for Obra, with another spelling: one letter is different in a short name, one or two in a long one, or
 * the case is. Obra does not read them. If the right variable is set too, the other one belongs to another program.
 * @returns a line for each
 */
export function misspelt (env: Record<string, unknown>): string[] {
  return Object.keys(env).filter(given => env[given] !== '' && !names.includes(given)).flatMap((given) => {
    const [likely] = names
      .map(name => ({ name, changes: changesBetween(given.toUpperCase(), name) }))
      .filter(({ name, changes }) => name.length >= minLength && changes <= (name.length < 10 ? 1 : 2))
      .sort((a, b) => a.changes - b.changes)
    if (likely === undefined || (env[likely.name] ?? '') !== '') return []
    return [`${given} is not a variable of Obra and has no effect: if you mean ${likely.name}, rename it`]
  })
}

/** Letters to insert, remove or replace so that one text becomes the other (Levenshtein distance). */
function changesBetween (from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 2) return Infinity
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let at = 0; at < to.length; at++) {
      const replaced = row[at] + (letter === to[at] ? 0 : 1)
      next.push(Math.min(replaced, row[at + 1] + 1, next[at] + 1))
    }
    row = next
  }
  return row[to.length]
}
