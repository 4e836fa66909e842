import type { FastifyRequest } from 'fastify'
import { mostMessages, ValidationError, type Problem } from '../../http/errors.ts'
import type { Pause } from '../../http/slices.ts'
import type { Input } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import { keyParameters } from './unique.ts'
import { type Written, bodyInput, schemaProblems, isObject } from './input.ts'

/** The field by whose value an item changes an existing record. Without it, such an item is refused. */
export type Upsert = string | undefined

/** The items of a bulk, and how to write them. */
interface Items {
  items: Input[]
  upsert: Upsert
  /** Whether refused items do not stop the others. */
  partial: boolean
}

/**
 * The items of a bulk body, each like that of `inputOf`, with problems by fields of the item. Other requests run between them.
 * Required fields that an item of an upsert omits are problems only if its record is new, except those of its key.
 * @throws {ValidationError} if the body has no list of items or too many, or if there are more problems than a 400 lists
 */
export async function itemsOf (
  request: FastifyRequest, resource: Written & Pick<Resource, 'schemas' | 'uniqueWithin' | 'copies'>, pause: Pause
): Promise<Items> {
  const problems = schemaProblems(request)
  const { items, upsert, partial = false }: { items: unknown[], upsert: Upsert, partial?: boolean } = Object(request.body)
  // An unknown field beside `items` can also have the name `items.3.folio`.
  const byItem = Map.groupBy(problems, ({ field }) => {
    const index = /^items\.(\d+)(\.|$)/.exec(field)?.[1]
    return Number(index) < items?.length ? index : undefined
  })
  if (byItem.has(undefined) || (!partial && problems.length > mostMessages)) throw new ValidationError(problems)

  const required: string[] = resource.schemas.create.required ?? []
  const key = upsert === undefined ? required : keyParameters(resource, upsert).map(({ field }) => field)
  const inputs: Input[] = []
  const convert = (item: unknown, index: number): Input => {
    const prefix = `items.${index}.`
    const own = (byItem.get(String(index)) ?? []).map(problem => ({ ...problem, field: problem.field.slice(prefix.length) }))
    if (!isObject(item)) return { values: {}, problems: own }
    const missing = required.filter(field => item[field] === undefined && field !== upsert)
      .map((field): Problem => ({ field, key: 'required' }))
    if (upsert !== undefined && item[upsert] == null) own.push({ field: upsert, key: item[upsert] === null ? 'null' : 'required' })
    const [always, ifNew] = [missing.filter(({ field }) => key.includes(field)), missing.filter(({ field }) => !key.includes(field))]
    const input = bodyInput(item, resource, [...always, ...own], request.tenant)
    return ifNew.length === 0 ? input : { ...input, ifNew }
  }
  for (const [index, item] of items.entries()) {
    inputs.push(convert(item, index))
    await pause()
  }
  const found = inputs.flatMap(({ problems }, index) => problems.map(problem => ({ ...problem, field: itemField(index, problem.field) })))
  if (!partial && found.length > mostMessages) throw new ValidationError(found)
  return { items: inputs, upsert, partial }
}

/** The field under which a problem of an item is reported. */
export function itemField (index: number, field: string): string {
  return field === '' ? `items.${index}` : `items.${index}.${field}`
}
