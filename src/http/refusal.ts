import { Type } from '@sinclair/typebox'
import { message, messages, type Language, type MessageKey, type MessageValues } from './messages.ts'
import { mapNames, namesIn } from './names.ts'

/**
 * Schema of an error body that only this route has. The OpenAPI document shows it in each language.
 * @param more placeholder values of the message, and additional fields of the body with their fixed values
 */
export function Refusal<const F extends Record<string, boolean> = {}> (
  code: string, key: MessageKey, { values, fields }: { values?: MessageValues, fields?: F } = {}
) {
  const shown = (language: Language) => ({ value: { ...fields, detail: message(language, key, values), code } })
  const examples = mapNames(namesIn(messages), shown)
  const fixed = Object.fromEntries(Object.entries(fields ?? {}).map(([name, value]) => [name, Type.Literal(value)]))
  return Type.Unsafe<F & { detail: string, code: string }>(
    Type.Object({ ...fixed, detail: Type.String(), code: Type.Literal(code) }, { 'x-examples': examples })
  )
}
