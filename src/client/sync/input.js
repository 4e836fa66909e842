import { referencesOf } from './edit.js'
import { resources } from './resources.js'

/** @import { Values } from './edit.js' */

/**
 * Checks fields that the app passes: what cannot be an edit is a mistake of the app, and not of the user.
 * @param {string} resource
 * @param {string} method that the app called, for messages
 * @param {unknown} body
 * @returns {Values} a copy
 * @throws {TypeError}
 */
export function bodyIn (resource, method, body) {
  const fields = fieldsOf(resource)
  if (!isPlain(body)) throw new TypeError(`${method} needs an object of fields, such as { ${fields[0]}: … }, not ${nameOf(body)}.`)
  const unknown = Object.keys(body).find(field => !fields.includes(field))
  if (unknown !== undefined) {
    throw new TypeError(`${method}: ${resource} has no field ${unknown} that can be written. Its fields are ${fields.join(', ')}.`)
  }
  const references = referencesOf(resource)
  return Object.fromEntries(Object.entries(body).map(([field, value]) => (
    [field, valueIn(`${method}: ${field}`, value, field in references)])))
}

/**
 * Checks the values that the user saw. They can be a whole record: only those of edited fields count.
 * @param {string} resource
 * @param {unknown} base
 * @param {Values} body
 * @returns {Values}
 * @throws {TypeError}
 */
export function baseIn (resource, base, body) {
  if (!isPlain(base)) throw new TypeError(`base needs to be an object of values, not ${nameOf(base)}.`)
  const values = Object.entries(base).filter(([field, value]) => Object.hasOwn(body, field) && value !== undefined)
  return bodyIn(resource, 'base', Object.fromEntries(values))
}

/**
 * Checks the id of a record.
 * @param {string} method
 * @param {unknown} id
 * @returns {number | string}
 * @throws {TypeError}
 */
export function idIn (method, id) {
  if (typeof id === 'string' && /^[1-9]\d{0,15}$/.test(id)) return Number(id)
  if (typeof id === 'string' || Number.isSafeInteger(id)) return /** @type {number | string} */ (id)
  throw new TypeError(`${method} needs the id of a record, not ${nameOf(id)}.`)
}

/** Checks what selects records. @param {string} method @param {unknown} filter @throws {TypeError} */
export function checkFilter (method, filter) {
  if (filter === undefined || typeof filter === 'function' || isPlain(filter)) return
  throw new TypeError(`${method} needs an object of values, such as { estado: 'vigente' }, or a function, not ${nameOf(filter)}.`)
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {boolean} isReference
 * @returns {unknown}
 */
function valueIn (name, value, isReference) {
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

/** Whether JSON can represent a value, apart from the values that it contains. @param {unknown} value */
function isRepresentable (value) {
  if (typeof value === 'number') return Number.isFinite(value)
  return !['function', 'symbol', 'bigint', 'undefined'].includes(typeof value)
}

/** The fields of a resource that can be written. @param {string} resource @returns {readonly string[]} */
function fieldsOf (resource) {
  return resources[/** @type {keyof typeof resources} */ (resource)].fields
}

/** @param {unknown} value @returns {value is Values} */
function isPlain (value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** @param {unknown} value */
function nameOf (value) {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : `an object (${value.constructor?.name ?? 'Object'})`
  return `a ${typeof value}`
}
