import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { messages, type Language } from '../../src/http/messages.ts'
import { problemCodes, type ProblemCode, type ProblemKey } from '../../src/http/problem-codes.ts'

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Each message in each language, as a pattern of its texts. */
const patterns = (Object.keys(problemCodes) as ProblemKey[]).flatMap(key => (Object.keys(messages) as Language[]).map((language) => {
  const parts = messages[language][key].split(/\{\w+\}/)
  return { key, length: parts.join('').length, pattern: new RegExp(`^${parts.map(literal).join('.*')}$`, 's') }
}))

/** The code of a message: that of its text with the fewest placeholder characters. @throws {Error} for a text that is no message of a problem */
export function codeOf (text: string): ProblemCode {
  const [first] = patterns.filter(({ pattern }) => pattern.test(text)).sort((a, b) => b.length - a.length)
  if (first === undefined) throw new Error(`no message of a problem: ${text}`)
  return problemCodes[first.key]
}

/** The codes of messages by field. */
export function codesOf (errors: Record<string, string[]>): Record<string, ProblemCode[]> {
  return Object.fromEntries(Object.entries(errors).map(([field, texts]) => [field, texts.map(codeOf)]))
}

/** The body of a 400. */
export function invalid (errors: object, language: Language = 'en') {
  return { detail: messages[language].invalidInput, errors, codes: codesOf(errors as Record<string, string[]>) }
}

/** Asserts that an answer is a 400 with these errors. */
export function refuses (t: Pick<Test, 'strictSame'>, { statusCode, json }: LightMyRequestResponse, errors: object, what = 'is refused', language?: Language): void {
  t.strictSame([statusCode, json()], [400, invalid(errors, language)], what)
}

/** The difference between the codes of an answer and those of its messages, also in the results of mutations. undefined if there is none. */
export function faultOfCodes (body: unknown): string | undefined {
  const { results, errors, codes } = Object(body) as { results?: unknown, errors?: Record<string, string[]>, codes?: unknown }
  if (Array.isArray(results)) return results.map(faultOfCodes).find(fault => fault !== undefined)
  if (errors === undefined && codes === undefined) return undefined
  const expected = JSON.stringify(codesOf(errors ?? {}))
  return JSON.stringify(codes) === expected ? undefined : `the codes are ${JSON.stringify(codes)} and not ${expected}`
}
