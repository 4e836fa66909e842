import type { RouteOptions } from 'fastify'
import { accountOperations, operations, type Access, type Level } from '../auth/access.ts'
import { isAccountOperation } from '../auth/authority.ts'
import { deprecationsOf, type Deprecation } from '../http/deprecation.ts'
import type { MediaType } from '../http/media.ts'
import type { RouteKind } from '../http/route-kinds.ts'
import type { Schema } from './standard.ts'

/** A route, as far as the document needs it: what it declares in its config and schema. */
export interface Operation {
  method: string
  /** URL with Fastify's parameters (`:id`) and a final slash. */
  url: string
  access: Access
  kind: RouteKind
  /** Whether it also answers with CSV. */
  csv: boolean
  /** The media type in which it also answers. */
  media?: MediaType | undefined
  deprecated?: Deprecation | undefined
  exampleId?: number | undefined
  schema: Schema
}

/** The operations of routes, sorted by URL: one per method, without HEAD, OPTIONS and hidden routes. */
export function operationsOf (routes: RouteOptions[]): Operation[] {
  const found = new Map<string, Operation>()
  for (const { method, url, config, schema } of routes) {
    if (schema?.hide === true) continue
    for (const one of [method].flat()) {
      if (one === 'HEAD' || one === 'OPTIONS') continue
      const { access = 'public', kind = {}, csv = false, media, deprecated, exampleId } = config ?? {}
      const operation = { method: one, url: printed(url), access, kind, csv, media, deprecated, exampleId, schema: schema ?? {} }
      found.set(`${one} ${operation.url}`, operation)
    }
  }
  return [...found.values()].sort((a, b) => a.url < b.url ? -1 : 1)
}

/** Adds a final slash to a URL, unless it is a file. */
function printed (url: string): string {
  return /\/$|\.\w+$/.test(url) ? url : `${url}/`
}

/** The URL in OpenAPI's form: `/api/v1/contracts/{id}/`. */
export function pathOf ({ url }: Operation): string {
  return url.replace(/:(\w+)/g, '{$1}')
}

/** Whether the operation, one of its parameters or one of its fields is deprecated. */
export function hasDeprecated ({ deprecated, schema }: Operation): boolean {
  return deprecationsOf(deprecated, schema).length > 0
}

/** Whether a request can name the fields of its answer. */
export function takesFields ({ schema }: Operation): boolean {
  return schema['querystring']?.properties?.fields !== undefined
}

/** The levels that may call a route; undefined if it needs none. */
export function levelsOf (access: Access): readonly Level[] | undefined {
  if (access === 'account' || access === 'refresh' || access === 'public') return undefined
  return isAccountOperation(access) ? accountOperations[access] : operations[access]
}
