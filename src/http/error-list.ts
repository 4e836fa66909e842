import { nonFieldErrors, type MessageValues, type Problem } from './errors.ts'
import { message, type Language, type MessageKey } from './messages.ts'

/** Formats a message in the caller's language. */
export type Say = (key: MessageKey, values?: MessageValues) => string

/** Formats messages in a language, with long input truncated. */
export function sayIn (language: Language): Say {
  return (key, values = {}) => message(language, key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, echoed(value)])))
}

/** Maximum messages in one answer. */
export const mostMessages = 500

/** Maximum size of the messages in bytes, including field names. */
const mostBytes = 32 * 1024

/** Maximum length of echoed input in characters. */
const mostEchoed = 200

/** Messages by field, in the order of the problems. If they exceed the limits, `non_field_errors` counts the others. */
export function errorList (problems: readonly Problem[], say: Say): Record<string, string[]> {
  const errors = new Map<string, Set<string>>()
  const listed = (field: string) => errors.get(field) ?? errors.set(field, new Set()).get(field) as Set<string>
  let [messages, bytes] = [0, 0]
  for (const [index, { field, key, values }] of problems.entries()) {
    const name = echoed(field)
    const text = say(key, values)
    if (errors.get(name)?.has(text) === true) continue
    bytes += Buffer.byteLength(JSON.stringify([name, text]))
    if (++messages > mostMessages || bytes > mostBytes) {
      listed(nonFieldErrors).add(say('moreProblems', { count: problems.length - index }))
      break
    }
    listed(name).add(text)
  }
  return Object.fromEntries([...errors].map(([field, texts]) => [field, [...texts]]))
}

/** Truncates long input for an error message. */
export function echoed<T extends string | number> (value: T): T | string {
  if (typeof value === 'number' || value.length <= mostEchoed) return value
  return `${value.slice(0, mostEchoed).toWellFormed().replace(/\ufffd$/, '')}…`
}
