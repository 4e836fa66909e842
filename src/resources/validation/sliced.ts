import { nonFieldErrors, refuse, type Problem, mostMessages } from '../../http/errors.ts'
import { requestSlices, sendersOf } from '../../http/slices.ts'
import { compile } from './compile.ts'
import { ExactNumber } from './exact-json.ts'
import { problemsOf } from './problems.ts'

/** The schema of a body, a part of it that TypeBox does not type. */
type ListSchema = { properties: Record<string, { items: object }>, sliced: string }

/** Maximum problems of a body with `partial`, whose answer lists the problems of each item by itself. */
const mostOfPartial = 20_000

/** Whether a schema names a list that is validated in slices. */
export function isSliced (schema: object): schema is ListSchema {
  return 'sliced' in schema
}

/**
 * Compiles the validator of a body with a long list. It validates the items one by one, so that other requests run in between, and stops
 * when there are more problems than an answer lists.
 * @returns a validator that rejects with a {@link ValidationError}
 */
export function compileSliced (schema: ListSchema): (body: unknown) => Promise<void> {
  const { sliced: name, properties } = schema
  const { items, ...list } = properties[name]
  const envelope = compile({ ...schema, properties: { ...properties, [name]: list } })
  const validate = compile(items)

  return async function validateSliced (body) {
    const problems: Problem[] = envelope(body) ? [] : problemsOf(envelope.errors ?? [])
    const { [name]: given, partial } = Object(body)
    const most = partial === true ? mostOfPartial : mostMessages
    const list: unknown[] = Array.isArray(given) ? given : []
    const pause = requestSlices.begin(sendersOf.get(Object(body)) ?? '')
    for (const [index, item] of list.entries()) {
      if (problems.length > most) {
        // Messages can repeat, so that fewer than the limit are listed.
        problems.push({ field: nonFieldErrors, key: 'moreProblems' })
        break
      }
      // An exact number is an object, which must not count as an item.
      const value: unknown = item instanceof ExactNumber ? list[index] = Number(item.source) : item
      if (!validate(value)) problems.push(...problemsOf(validate.errors ?? [], undefined, [name, String(index)]))
      await pause()
    }
    refuse(problems)
  }
}
