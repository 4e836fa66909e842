import type { FastifyContextConfig, RouteOptions } from 'fastify'
import { accountOperations, operations, type Access, type Level } from '../auth/access.ts'
import { isAccountOperation } from '../auth/authority.ts'
import { deprecationsOf, type Deprecation } from '../http/deprecation.ts'
import type { MediaType } from '../http/media.ts'
import type { Schema } from './standard.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The media types of files that the route sends or takes. */
    fileTypes?: readonly string[]
    /** What the route does in a resumable upload by tus: it begins one, takes a part, or answers its progress to HEAD. */
    tus?: 'begin' | 'part' | 'progress'
  }
}

/** A route, as far as the document needs it. */
export interface Operation {
  method: string
  /** URL with Fastify's parameters (`:id`) and a final slash. */
  url: string
  access: Access
  /** The media type in which it also answers. */
  media?: MediaType | undefined
  /** The media types of files that it sends or takes. */
  fileTypes?: readonly string[] | undefined
  /** What it does in a resumable upload. */
  tus?: FastifyContextConfig['tus'] | undefined
  deprecated?: Deprecation | undefined
  schema: Schema
}

/** The operations of routes, sorted by URL: one per method, without HEAD, OPTIONS and hidden routes. */
export function operationsOf (routes: RouteOptions[]): Operation[] {
  const found = new Map<string, Operation>()
  for (const { method, url, config, schema } of routes) {
    if (schema?.hide === true) continue
    for (const one of [method].flat()) {
      if (one === 'HEAD' || one === 'OPTIONS') continue
      const { access = 'public', media, fileTypes, tus, deprecated } = config ?? {}
      const operation = { method: one, url: printed(url), access, media, fileTypes, tus, deprecated, schema: schema ?? {} }
      found.set(`${one} ${operation.url}`, operation)
    }
  }
  return [...found.values()].sort((a, b) => a.url < b.url ? -1 : 1)
}

/** Adds a final slash to a URL, unless it is a file. */
export function printed (url: string): string {
  return /\/$|\.\w+$/.test(url) ? url : `${url}/`
}

/** The URL in OpenAPI's form: `/api/v1/contracts/{id}/`. */
export function pathOf ({ url }: Operation): string {
  return url.replace(/:(\w+)/g, '{$1}')
}

const base = '/api/v1/'

/** Whether the route is below `/api/v1/`, where requests are authenticated. */
export function isApiRoute ({ url }: Operation): boolean {
  return url.startsWith(base)
}

/** Whether a request body is read. Fastify also reads, and refuses, the body of a DELETE. */
export function readsBody ({ method }: Operation): boolean {
  return method !== 'GET'
}

/** Whether the route answers with a file. */
export function sendsFile ({ method, fileTypes }: Operation): boolean {
  return fileTypes !== undefined && method === 'GET'
}

/** Whether the bodies of the route are files. */
export function takesFile ({ method, fileTypes }: Operation): boolean {
  return fileTypes !== undefined && method !== 'GET'
}

/** Whether the route takes a part of a file, as tus does. */
export function takesPart ({ tus }: Operation): boolean {
  return tus === 'part'
}

/** Whether the route begins an upload, as tus does. */
export function beginsUpload ({ tus }: Operation): boolean {
  return tus === 'begin'
}

/** Whether HEAD of the route answers the progress of an upload, as tus does. */
export function answersProgress ({ tus }: Operation): boolean {
  return tus === 'progress'
}

/** Whether the operation, one of its parameters or one of its fields is deprecated. */
export function hasDeprecated ({ deprecated, schema }: Operation): boolean {
  return deprecationsOf(deprecated, schema).length > 0
}

/** Whether the route is a bulk. */
export function isBulk ({ schema }: Operation): boolean {
  return schema['body']?.properties?.items !== undefined
}

/** Whether the URL has the id of a record. */
export function takesId ({ url }: Operation): boolean {
  return url.includes('/:')
}

/** Whether the route is a list with pages. */
export function isPaged ({ schema }: Operation): boolean {
  return schema['querystring']?.properties?.page !== undefined
}

/** Whether the route is a list that also answers with CSV. */
export function hasCsv ({ schema }: Operation): boolean {
  return schema['querystring']?.properties?.format !== undefined
}

/** Whether the route reads the change feed. */
export function isFeed ({ url }: Operation): boolean {
  return url.startsWith(`${base}changes/`)
}

/** Whether the route runs mutations. */
export function isMutations ({ url }: Operation): boolean {
  return url === `${base}mutations/`
}

/** Whether the route gives up a delivery. */
export function isSkip ({ url }: Operation): boolean {
  return url.endsWith('/skip/')
}

/** Whether the route answers with server-sent events. */
export function isStream ({ schema }: Operation): boolean {
  return schema['response']?.[200]?.content?.['text/event-stream'] !== undefined
}

/** Whether the route accepts `Prefer: wait`. */
export function canWait (operation: Operation): boolean {
  return isFeed(operation) && !isStream(operation)
}

/** Whether a request can name the fields of its answer. */
export function takesFields ({ schema }: Operation): boolean {
  return schema['querystring']?.properties?.fields !== undefined
}

/** Whether the route creates records and accepts an `Idempotency-Key`. */
export function isIdempotent (operation: Operation): boolean {
  const { method, access, schema } = operation
  return method === 'POST' && levelsOf(access) !== undefined && schema['response']?.[201] !== undefined && !beginsUpload(operation)
}

/** Whether the route is a write that accepts `If-Match`. */
export function isConditionalWrite (operation: Operation): boolean {
  return takesId(operation) && operation.method !== 'GET' && operation.method !== 'POST'
}

/** Whether a success has an ETag: reads of the API, writes that return one record, and routes with a schema for 304. */
export function isTagged (operation: Operation): boolean {
  const { method, schema } = operation
  if (isStream(operation)) return false
  if (method === 'GET') return isApiRoute(operation) || schema['response']?.[304] !== undefined
  return (isConditionalWrite(operation) && method !== 'DELETE' && !takesPart(operation)) || (isIdempotent(operation) && !isBulk(operation))
}

/** The levels that may call a route; undefined if it needs none. */
export function levelsOf (access: Access): readonly Level[] | undefined {
  if (access === 'account' || access === 'refresh' || access === 'public') return undefined
  return isAccountOperation(access) ? accountOperations[access] : operations[access]
}
