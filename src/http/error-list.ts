import { nonFieldErrors, type Problem } from './errors.ts'
import { message, type Language, type MessageKey, type MessageValues } from './messages.ts'
import { problemCodes, type ProblemCode } from './problem-codes.ts'

/** Formats a message in the caller's language. */
export type Say = (key: MessageKey, values?: MessageValues) => string

/** Formats messages in a language, with long input truncated. */
export function sayIn (language: Language): Say {
  return (key, values = {}) => message(language, key, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'object' ? value : echoed(value)])))
}

/** Maximum messages in one answer. */
export const mostMessages = 500

/** Maximum size of the messages in bytes, including field names. */
const mostBytes = 32 * 1024

/** Maximum length of echoed input in characters. */
const mostEchoed = 200

/** Messages by field, and their codes: the same fields, and the codes in the order of the messages. */
export interface ErrorList {
  errors: Record<string, string[]>
  codes: Record<string, ProblemCode[]>
}

/**
 * Messages and codes by field, in the order of the problems. If they exceed the limits, `non_field_errors` says that there are more.
 * @param messages maximum, with `bytes` of these messages and their field names
 */
export function errorList (problems: readonly Problem[], say: Say, { messages = mostMessages, bytes = mostBytes } = {}): ErrorList {
  const listed = new Map<string, Map<string, ProblemCode>>()
  const add = (field: string, text: string, code: ProblemCode) => {
    const texts = listed.get(field)
    if (texts === undefined) listed.set(field, new Map([[text, code]]))
    else texts.set(text, code)
  }
  let [count, size] = [0, 0]
  for (const { field, key, values } of problems) {
    const name = echoed(field)
    const text = say(key, values)
    if (listed.get(name)?.has(text) === true) continue
    size += Buffer.byteLength(JSON.stringify([name, text]))
    if (++count > messages || size > bytes) {
      add(nonFieldErrors, say('moreProblems'), problemCodes.moreProblems)
      break
    }
    add(name, text, problemCodes[key])
  }
  const fields = [...listed]
  return {
    errors: Object.fromEntries(fields.map(([field, texts]) => [field, [...texts.keys()]])),
    codes: Object.fromEntries(fields.map(([field, texts]) => [field, [...texts.values()]]))
  }
}

/** Truncates long input for an error message. */
export function echoed<T extends string | number> (value: T): T | string {
  if (typeof value === 'number' || value.length <= mostEchoed) return value
  return `${value.slice(0, mostEchoed).toWellFormed().replace(/\ufffd$/, '')}…`
}
