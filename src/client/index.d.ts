import type { Client, FetchResponse, MaybeOptionalInit } from 'openapi-fetch'
import type { HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers'
import type { components, operations, paths } from './api.d.ts'

export type { components, operations, paths }

/** What somebody logs in with. */
export interface Credentials {
  email: string
  password: string
}

/** A pair of tokens: `access` for an hour, `refresh` for seven days and one use. */
export interface Tokens {
  access: string
  refresh: string
}

export interface ObraClientOptions extends Partial<Credentials> {
  /** Scheme and host of the service, such as `https://api.example.mx`. Default: where the page is from. */
  baseUrl?: string
  /** Tokens of a session that goes on. */
  tokens?: Tokens
  /** Gets each new pair of tokens, after a log-in and each refresh, to store it; requests wait for it. The refresh token before is spent. */
  onTokens?: (tokens: Tokens) => void | Promise<void>
  /** Told once when the session has ended and there are no credentials that begin another; `logIn` does. */
  onLogout?: (error: ObraError) => void
  /** Language of messages. Default: `Accept-Language` of the browser, or the service's own. */
  language?: 'en' | 'es'
  /** Sends a request. Default: the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>
  /** How often a request is sent again that was refused for now or lost. Default: 3; 0 for never. */
  retries?: number
  /** Seconds that `Retry-After` may ask for; a longer wait is left to the caller. Default: 30. */
  longestWait?: number
  /** Whether each POST that makes records gets an `Idempotency-Key`, unless it has one, so that it can be sent again. Default: true. */
  idempotencyKeys?: boolean
}

/** The part of an operation's options that is about its query. */
type Query<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Parameters } } } ? Parameters : never

type Listed<Path extends keyof paths> = paths[Path] extends { get: { responses: { 200: { content: { 'application/json': { next: string | null, results: Array<infer Item> } } } } } } ? Item : never

/** The paths that answer a page of records. */
export type ListPath = { [Path in keyof paths]: [Listed<Path>] extends [never] ? never : Path }[keyof paths]

/** What the list at a path is of. */
export type Item<Path extends ListPath> = Listed<Path>

/** A request: its path as the document has it, then `params` (`path`, `query`, `header`), `body`, and what `fetch` takes. Unlike openapi-fetch's own type it refuses fields that a body does not have. */
type Send<Method extends HttpMethod> = <Path extends PathsWithMethod<paths, Method>>(
  path: Path,
  ...options: RequiredKeysOf<MaybeOptionalInit<paths[Path], Method>> extends never ? [MaybeOptionalInit<paths[Path], Method>?] : [MaybeOptionalInit<paths[Path], Method>]
) => Promise<FetchResponse<paths[Path][Method] & Record<string | number, any>, object, 'application/json'>>

/** A typed client, of openapi-fetch: its requests answer `{ data, error, response }`. */
export interface ObraClient extends Pick<Client<paths, 'application/json'>, 'use' | 'eject'> {
  GET: Send<'get'>
  POST: Send<'post'>
  PUT: Send<'put'>
  PATCH: Send<'patch'>
  DELETE: Send<'delete'>
  /**
   * Every record of a list, page after page as they are asked for; none twice and none left out when others write meanwhile.
   * @throws {ObraError} for any answer but success
   */
  all: <Path extends ListPath>(path: Path, options?: { query?: Query<Path>, signal?: AbortSignal }) => AsyncGenerator<Item<Path>, void, undefined>
  /**
   * Logs in, and again by itself when the session ends.
   * @throws {ObraError} 401 `no_active_account`, 429
   */
  logIn: (credentials: Credentials) => Promise<void>
  /** Ends the session, here at once and then at the service; rejects where the service could not be told. */
  logOut: () => Promise<void>
}

/**
 * A client of an Obra service. It logs in when it first must, renews its access token by one refresh for however many requests find it
 * expired, and sends again what was refused for now.
 */
export declare function createObraClient (options: ObraClientOptions): ObraClient

/** An answer other than success. */
export declare class ObraError extends Error {
  constructor (body: unknown, response: Response)
  readonly name: 'ObraError'
  /** HTTP status; 0 for a redirect in browsers. */
  readonly status: number
  /** The service's code, the same in each language; `invalid` for a 400, `redirected` for a redirect, which is never followed. */
  readonly code: string
  /** On 400: what is wrong, by field; what is of no one field is under `non_field_errors`. */
  readonly errors: Record<string, string[]>
  readonly response: Response
  /** `X-Request-Id`, by which the service's log knows the request. */
  get requestId (): string | null
}

/** The data of an answer. @throws {ObraError} for any answer but success */
export declare function unwrap<Data> (answer: Promise<{ data?: Data, error?: unknown, response: Response }>): Promise<Data>
