import type { AnySchemaObject, ErrorObject } from 'ajv'
import { nonFieldErrors, type Problem } from '../../http/errors.ts'
import type { MessageValues } from '../../http/messages.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import { ExactNumber } from './exact-json.ts'
import { wholeDigits } from './convert.ts'

type FieldProblem = Omit<Problem, 'field'> & { field?: string }

/**
 * Converts a validator's errors to problems by field. A repeated query parameter, a choice of the wrong type and an invalid integer get one
 * problem each, without consequential errors.
 * @param context the part of the request. Query parameters have no nested paths.
 * @param prefix path of the validated value
 */
export function problemsOf (errors: ErrorObject[], context?: string, prefix: string[] = []): Problem[] {
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath))
  const unlike = new Set<string>()
  const relevant = errors.filter((error) => {
    const { keyword, parentSchema, instancePath } = error
    if (keyword === 'type') return parentSchema?.['enum'] === undefined
    if (!isNoReference(error)) return !(mistyped.has(instancePath) && (keyword === 'minimum' || keyword === 'maximum'))
    const isFirst = !unlike.has(instancePath)
    unlike.add(instancePath)
    return isFirst
  })
  return relevant.map((error) => {
    const path = error.instancePath.slice(1).split('/').filter(Boolean).map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    if (context === 'querystring' && Array.isArray(error.data) && error.parentSchema?.['list'] !== true) {
      return { field: path[0], key: 'repeatedParameter' }
    }
    const { field, key, values } = problemOf(error)
    const whole = [...prefix, ...path, ...field === undefined ? [] : [field]]
    if (context !== 'querystring') return { field: whole.length === 0 ? nonFieldErrors : whole.join('.'), key, values }
    return { field: whole[0] ?? nonFieldErrors, key: key === 'unknownField' ? 'unknownParameter' : key, values }
  })
}

/** Whether an object is no reference, because it has other properties. An exact number is an object too. */
function isNoReference ({ keyword, parentSchema }: ErrorObject): boolean {
  return parentSchema?.['references'] === true && (keyword === 'required' || keyword === 'additionalProperties')
}

function problemOf (error: ErrorObject): FieldProblem {
  const { keyword, params, data, parentSchema } = error
  if (isNoReference(error)) return wrongType({ ...error, params: { type: parentSchema?.['type'] } })
  switch (keyword) {
    case 'required': return { field: params['missingProperty'], key: 'required' }
    case 'additionalProperties': return { field: params['additionalProperty'], key: 'unknownField' }
    case 'type': return wrongType(error)
    case 'pattern': return data === null
      ? { key: 'null' }
      : parentSchema?.['isId'] === true
        ? { key: 'notInteger' }
        : { key: 'invalidChoice', values: { input: printed(data) } }
    case 'enum': return data === null
      ? { key: 'null' }
      : { key: 'invalidChoiceOf', values: { input: printed(data), choices: choicesOf(params['allowedValues']) } }
    case 'minLength': return data === '' ? { key: 'blank' } : { key: 'minLength', values: { min_length: params['limit'] } }
    case 'maxLength': return { key: 'maxLength', values: { max_length: params['limit'] } }
    case 'minimum':
    case 'maximum': return outOfBounds(error)
    case 'maxItems': return { key: 'maxItems', values: { max_length: params['limit'] } }
    case 'minItems': return { key: 'minItems', values: { min_length: params['limit'] } }
    // One of our keywords, whose parameters are the refusal.
    default: return data === null ? { key: 'null' } : { key: params['key'], values: params['values'] }
  }
}

function wrongType (error: ErrorObject): FieldProblem {
  const { params, data, parentSchema } = error
  if (data === null || data === undefined) return { key: 'null' }
  const types: string[] = [params['type']].flat()
  const values: MessageValues = { datatype: typeName(data), data_type: typeName(data), input_type: typeName(data) }
  // An integer beyond the range of JavaScript numbers has the right type, but is out of bounds.
  if (types[0] === 'integer' && data instanceof ExactNumber && wholeDigits(data) !== undefined) return outOfBounds(error)
  if (parentSchema?.['references'] === true) return { key: 'incorrectPk', values }
  const form = forms.find(([keyword]) => parentSchema?.[keyword] === true)
  if (form !== undefined) return { key: form[1] }
  const keys: Record<string, ProblemKey> = {
    object: 'notObject', array: 'notList', integer: 'notInteger', number: 'notNumber', boolean: 'notBoolean'
  }
  return { key: keys[types[0] ?? ''] ?? 'notString', values }
}

/** Keywords of texts with a fixed form. Their message also covers a wrong type. */
const forms: Array<[keyword: string, key: ProblemKey]> = [
  ['isDate', 'notDate'], ['isInstant', 'notInstant'], ['isTimeZone', 'notTimeZone'], ['isUuid', 'notUuid'], ['isHash', 'notHash']
]

/** An id out of bounds refers to no record. */
function outOfBounds ({ data, parentSchema }: ErrorObject): FieldProblem {
  const { references, minimum, maximum = Number.MAX_SAFE_INTEGER }: AnySchemaObject = parentSchema ?? {}
  const value = data instanceof ExactNumber ? data.source : Number(data)
  if (references === true) return { key: 'doesNotExist', values: { pk_value: value } }
  return Number(value) < minimum ? { key: 'minValue', values: { min_value: minimum } } : { key: 'maxValue', values: { max_value: maximum } }
}

const typeNames: Record<string, string> = { string: 'str', boolean: 'bool', object: 'dict' }

/** The name of a JSON type as Django REST Framework prints it. */
export function typeName (value: unknown): string {
  if (Array.isArray(value)) return 'list'
  if (value instanceof ExactNumber) return /[.eE]/.test(value.source) ? 'float' : 'int'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  if (value === null) return 'NoneType'
  return typeNames[typeof value] ?? 'None'
}

/** The words of an `enum`. An ordering is listed once, without its variant with `-`. */
function choicesOf (words: string[]): string[] {
  return words.filter(word => !(word.startsWith('-') && words.includes(word.slice(1))))
}

function printed (value: unknown): string {
  if (value instanceof ExactNumber) return value.source
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value)
  } catch {
    // Nested too deeply for the stack.
    return typeName(value)
  }
}
