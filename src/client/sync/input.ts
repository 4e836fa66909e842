import { descriptionOf } from './descriptions.ts'
import type { Values } from './edit.ts'

/**
 * Checks fields that the app passes: what cannot be an edit is a mistake of the app, and not of the user.
 * @param method that the app called, for messages
 * @returns a copy
 * @throws {TypeError}
 */
export function bodyIn (resource: string, method: string, body: unknown): Values {
  const { fields, references } = descriptionOf(resource)
  if (!isPlain(body)) throw new TypeError(`${method} needs an object of fields, such as { ${fields[0]}: … }, not ${nameOf(body)}.`)
  const unknown = Object.keys(body).find(field => !fields.includes(field))
  if (unknown !== undefined) {
    throw new TypeError(`${method}: ${resource} has no field ${unknown} that can be written. Its fields are ${fields.join(', ')}.`)
  }
  return Object.fromEntries(Object.entries(body).map(([field, value]) => (
    [field, valueIn(`${method}: ${field}`, value, field in references)])))
}

/**
 * Checks the values that the user saw. They can be a whole record: only those of edited fields count.
 * @throws {TypeError}
 */
export function baseIn (resource: string, base: unknown, body: Values): Values {
  if (!isPlain(base)) throw new TypeError(`base needs to be an object of values, not ${nameOf(base)}.`)
  const values = Object.entries(base).filter(([field, value]) => Object.hasOwn(body, field) && value !== undefined)
  return bodyIn(resource, 'base', Object.fromEntries(values))
}

/**
 * Checks the id of a record.
 * @throws {TypeError}
 */
export function idIn (method: string, id: unknown): number | string {
  if (typeof id === 'string' && /^[1-9]\d{0,15}$/.test(id)) return Number(id)
  if (typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id))) return id
  throw new TypeError(`${method} needs the id of a record, not ${nameOf(id)}.`)
}

/** Checks what selects records. @throws {TypeError} */
export function checkFilter (method: string, filter: unknown) {
  if (filter === undefined || typeof filter === 'function' || isPlain(filter)) return
  throw new TypeError(`${method} needs an object of values, such as { estado: 'vigente' }, or a function, not ${nameOf(filter)}.`)
}

function valueIn (name: string, value: unknown, isReference: boolean): unknown {
  if (value === undefined) throw new TypeError(`${name} is undefined. Leave the field out, or pass null to clear it.`)
  if (value instanceof Date) throw new TypeError(`${name} is a Date. Pass text, such as '2026-01-31'.`)
  if (isReference && typeof value === 'object' && value !== null) {
    throw new TypeError(`${name} is ${nameOf(value)}. Pass the id of the record.`)
  }
  const text = JSON.stringify(value, (_key, one) => {
    if (!isRepresentable(one)) throw new TypeError(`${name} is or has ${nameOf(one)}, which JSON cannot represent.`)
    return one
  })
  return JSON.parse(text)
}

/** Whether JSON can represent a value, apart from the values that it contains. */
function isRepresentable (value: unknown) {
  if (typeof value === 'number') return Number.isFinite(value)
  return !['function', 'symbol', 'bigint', 'undefined'].includes(typeof value)
}

function isPlain (value: unknown): value is Values {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function nameOf (value: unknown) {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : `an object (${value.constructor?.name ?? 'Object'})`
  return `a ${typeof value}`
}
