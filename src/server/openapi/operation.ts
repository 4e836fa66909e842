import type { RouteOptions } from 'fastify'
import { accountOperations, isAccountOperation, operations, type Access, type Level } from '../../auth/access.ts'
import type { Schema } from './standard.ts'

/** What a route is, as far as the document's rules ask. */
export interface Operation {
  method: string
  /** The address with Fastify's parameters (`:id`), in the form that the API prints. */
  url: string
  access: Access
  schema: Schema
}

/** What the routes of a Fastify instance are; a route of several methods is several, HEAD goes along with GET. */
export function operationsOf (routes: RouteOptions[]): Operation[] {
  const found = new Map<string, Operation>()
  for (const { method, url, config, schema } of routes) {
    if (schema?.hide === true) continue
    for (const one of [method].flat()) {
      if (one === 'HEAD' || one === 'OPTIONS') continue
      const operation = { method: one, url: printed(url), access: config?.access ?? 'public', schema: schema ?? {} }
      found.set(`${one} ${operation.url}`, operation)
    }
  }
  return [...found.values()].sort((a, b) => a.url < b.url ? -1 : 1)
}

/** An address in the form that the API prints: with a slash at its end, unless it is a file. */
export function printed (url: string): string {
  return /\/$|\.\w+$/.test(url) ? url : `${url}/`
}

/** The address as OpenAPI writes it: `/api/v1/contracts/{id}/`. */
export function pathOf ({ url }: Operation): string {
  return url.replace(/:(\w+)/g, '{$1}')
}

const base = '/api/v1/'

/** Whether the route is one of the API's, behind its door. */
export function isBehindDoor ({ url }: Operation): boolean {
  return url.startsWith(base)
}

/** Whether a body is looked at: Fastify also reads, and refuses, one that comes with a DELETE. */
export function readsBody ({ method }: Operation): boolean {
  return method !== 'GET'
}

/** Whether the route takes many records at once. */
export function isBulk ({ schema }: Operation): boolean {
  return schema['body']?.properties?.items !== undefined
}

/** Whether the address names a record. */
export function takesId ({ url }: Operation): boolean {
  return url.includes('/:')
}

/** Whether the route is a list in pages. */
export function isPaged ({ schema }: Operation): boolean {
  return schema['querystring']?.properties?.page !== undefined
}

/** Whether a POST makes records, which it does once under an Idempotency-Key. */
export function isIdempotent ({ method, access }: Operation): boolean {
  return method === 'POST' && levelsOf(access) !== undefined
}

/** Whether a write asks for the version of a record. */
export function isConditionalWrite (operation: Operation): boolean {
  return takesId(operation) && operation.method !== 'GET' && operation.method !== 'POST'
}

/** Whether success carries an ETag: every read of the API, every write that answers with one record, and what says so by naming a 304. */
export function isTagged (operation: Operation): boolean {
  const { method, schema } = operation
  if (method === 'GET') return isBehindDoor(operation) || schema['response']?.[304] !== undefined
  return (isConditionalWrite(operation) && method !== 'DELETE') || (isIdempotent(operation) && !isBulk(operation))
}

/** The levels that may do what a route does; undefined where none is asked for. */
export function levelsOf (access: Access): readonly Level[] | undefined {
  if (access === 'account' || access === 'refresh' || access === 'public') return undefined
  return isAccountOperation(access) ? accountOperations[access] : operations[access]
}
