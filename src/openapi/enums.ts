import { registered } from '../domain/resources.ts'
import { webhooks } from '../domain/webhooks/resource.ts'
import type { FieldSpec } from '../resources/declaration/field-spec.ts'

/** Names of enumerations, by the list of their words itself: lists of two fields can have the same words. */
export type EnumNames = ReadonlyMap<readonly string[], string>

/** Names the enumerations of fields, such as `ContractEstado` for `estado`, and `ConvenioAviso` for the list `avisos`. */
export function enumNames (): EnumNames {
  const names = new Map<readonly string[], string>()
  for (const { title, fields } of [...registered, webhooks]) {
    for (const [field, { spec }] of Object.entries<{ spec: FieldSpec }>(fields)) {
      for (const schema of [spec.shown, spec.input, spec.query]) {
        const one: readonly string[] | undefined = schema?.['enum']
        const several: readonly string[] | undefined = schema?.['items']?.enum
        const words = one ?? several
        const word = one === undefined ? field.replace(/s$/, '') : field
        if (words !== undefined && !names.has(words)) names.set(words, `${title}${inPascalCase(word)}`)
      }
    }
  }
  return names
}

function inPascalCase (name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase())
}
