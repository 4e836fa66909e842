import { en } from './messages/en.ts'
import { es } from './messages/es.ts'

/**
 * Every message the API answers with, by language and key.
 *
 * The wording is that of Django REST Framework (rest_framework, locale/es), of
 * djangorestframework-simplejwt (rest_framework_simplejwt, locale/es) and, for null characters,
 * of Django; where they have no such message, one in the same tone. Placeholders keep their names.
 */
export const messages = { en, es } as const

/** The name of a message. */
export type MessageKey = keyof typeof messages.en

/** A language the API answers in. */
export type Language = keyof typeof messages

/**
 * The message of that key in that language, its `{name}` placeholders filled from `values`.
 * A placeholder without a value stays unchanged; braces inside a value are never expanded.
 */
export function message (language: Language, key: MessageKey, values: Record<string, string | number> = {}): string {
  return messages[language][key].replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder)
}
