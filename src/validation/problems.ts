import type { ErrorObject } from 'ajv'
import { nonFieldErrors, type MessageValues, type Problem } from '../errors.ts'
import type { MessageKey } from '../language/messages.ts'
import { ExactNumber } from './exact-json.ts'
import type { Refusal } from './keywords.ts'

type Told = Omit<Problem, 'field'> & { field?: string }

/**
 * What a validator found, as problems by field. What is not even of a choice's type is told as no choice alone, what is no whole number as
 * that alone, not as one out of bounds.
 * @param context the part of the request; a query's parameters have no parts of their own
 */
export function problemsOf (errors: ErrorObject[], context?: string): Problem[] {
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath))
  const told = errors.filter(({ keyword, parentSchema, instancePath }) => keyword === 'type'
    ? parentSchema?.['enum'] === undefined
    : !(mistyped.has(instancePath) && (keyword === 'minimum' || keyword === 'maximum')))
  return told.map((error) => {
    const path = error.instancePath.slice(1).split('/').filter(Boolean).map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    const { field, key, values } = tell(error)
    const whole = [...path, ...field === undefined ? [] : [field]]
    if (context !== 'querystring') return { field: whole.length === 0 ? nonFieldErrors : whole.join('.'), key, values }
    return { field: whole[0] ?? nonFieldErrors, key: key === 'unknownField' ? 'unknownParameter' : key, values }
  })
}

function tell (error: ErrorObject): Told {
  const { keyword, params, data } = error
  switch (keyword) {
    case 'required': return { field: params['missingProperty'], key: 'required' }
    case 'additionalProperties': return { field: params['additionalProperty'], key: 'unknownField' }
    case 'type': return wrongType(error)
    case 'pattern':
    case 'enum': return data === null ? { key: 'null' } : { key: 'invalidChoice', values: { input: printed(data) } }
    case 'minLength': return data === '' ? { key: 'blank' } : { key: 'minLength', values: { min_length: params['limit'] } }
    case 'maxLength': return { key: 'maxLength', values: { max_length: params['limit'] } }
    case 'minimum': return { key: 'minValue', values: { min_value: params['limit'] } }
    case 'maximum': return { key: 'maxValue', values: { max_value: params['limit'] } }
    case 'maxItems': return { key: 'maxItems', values: { max_length: params['limit'] } }
    case 'minItems': return { key: 'minItems', values: { min_length: params['limit'] } }
    default: return data === null ? { key: 'null' } : params as Refusal
  }
}

function wrongType ({ params, data, parentSchema }: ErrorObject): Told {
  if (data === null || data === undefined) return { key: 'null' }
  const types: string[] = [params['type']].flat()
  const values: MessageValues = { datatype: typeName(data), data_type: typeName(data), input_type: typeName(data) }
  if (parentSchema?.['references'] === true) return { key: 'incorrectPk', values }
  const keys: Record<string, MessageKey> = { object: 'notObject', array: 'notList', integer: 'notInteger', number: 'notNumber', boolean: 'notBoolean' }
  return { key: keys[types[0] ?? ''] ?? 'notString', values }
}

/** The name of a JSON type as Django REST Framework prints it. */
export function typeName (value: unknown): string {
  if (Array.isArray(value)) return 'list'
  if (value instanceof ExactNumber) return /[.eE]/.test(value.source) ? 'float' : 'int'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return { string: 'str', boolean: 'bool', object: value === null ? 'NoneType' : 'dict' }[typeof value as string] ?? 'None'
}

function printed (value: unknown): string {
  if (value instanceof ExactNumber) return value.source
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    // It is nested deeper than the stack is.
    return typeName(value)
  }
}
