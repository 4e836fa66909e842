import { en } from './messages/en.ts'
import { es } from './messages/es.ts'

/**
 * All messages of the API by language and key. Their wording is that of Django REST Framework (rest_framework, locale/es),
 * djangorestframework-simplejwt (rest_framework_simplejwt, locale/es) and, for null characters, Django. Keys marked "ours" have no such
 * message. Placeholders keep Django's names.
 */
export const messages = { en, es } as const

/** The name of a message. */
export type MessageKey = keyof typeof messages.en

/** A language of messages. */
export type Language = keyof typeof messages

/** A text in each language. */
export type Texts = Record<Language, string>

/** Values for the placeholders of a message. A list contains words of ours, never input. */
export type MessageValues = Record<string, string | number | readonly string[] | Texts>

/**
 * Returns a message with `values` for its `{name}` placeholders, a list with commas, a text in the message's language. A placeholder
 * without a value stays; braces in a value are not replaced.
 */
export function message (language: Language, key: MessageKey, values: MessageValues = {}): string {
  return messages[language][key].replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : placeholder
    if (typeof value !== 'object') return String(value)
    return 'en' in value ? value[language] : value.join(', ')
  })
}
