import type { Client, FetchResponse, MaybeOptionalInit, ParseAs } from 'openapi-fetch'
import type { HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers'
import type { paths } from './api.d.ts'
import type { ObraError } from './errors.ts'

/** Email and password of an account. */
export interface Credentials {
  email: string
  password: string
}

/** A pair of tokens: `access` is valid for an hour, `refresh` for seven days and one use. */
export interface Tokens {
  access: string
  refresh: string
}

export interface ObraClientOptions extends Partial<Credentials> {
  /**
   * Scheme and host of the service, such as `https://api.example.mx`. Default: the origin of the page. Required where there is no page, as
   * in Node.js.
   */
  baseUrl?: string
  /** Tokens of an existing session. With a function that reads them where `onTokens` stores them, several tabs share a session. */
  tokens?: Tokens | (() => Tokens | undefined)
  /** Stores a new pair of tokens, after a log-in and after each refresh. Requests wait for it. The previous refresh token is spent. */
  onTokens?: (tokens: Tokens) => void | Promise<void>
  /** Called once when the session has ended and the client cannot log in again: it has no credentials, or the service refuses them. */
  onLogout?: (error: ObraError) => void
  /** Language of messages. Default: the browser's `Accept-Language`, or the service's default. */
  language?: 'en' | 'es'
  /** Sends a request. Default: the global `fetch`. Pass `init` on: in Node.js, the `signal` of the `Request` can miss aborts. */
  fetch?: (request: Request, init: { signal?: AbortSignal }) => Promise<Response>
  /** Maximum repetitions of a request after 429, 502 to 504, or no answer. Default: 3; 0 for never. */
  retries?: number
  /**
   * Longest `Retry-After` to wait for, in seconds. If the service asks for more, the caller gets the answer immediately. Default: 60, the
   * longest one of the service, except for log-ins after wrong passwords.
   */
  maxWaitSeconds?: number
  /** @deprecated the earlier name of `maxWaitSeconds` */
  longestWait?: number
  /** Whether a POST that creates records gets an `Idempotency-Key`, unless it has one, so that it can be repeated. Default: true. */
  idempotencyKeys?: boolean
}

/** The query parameters of a GET. */
type Query<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Parameters } } } ? Parameters : never

/** The content of a successful answer to a GET, by media type. */
type Content<Path extends keyof paths> = paths[Path] extends { get: { responses: { 200: { content: infer Types } } } } ? Types : never

type ItemOf<Types> = Types extends { 'application/json': { next: string | null, results: Array<infer Item> } } ? Item : never

type Listed<Path extends keyof paths> = ItemOf<Content<Path>>

/** Paths that answer with a page of records. */
export type ListPath = { [Path in keyof paths]: [Listed<Path>] extends [never] ? never : Path }[keyof paths]

/** The type of the records in a list. */
export type Item<Path extends ListPath> = Listed<Path>

/** A path with a slash at its end. An index, so that TypeScript does not infer `Path` from it. */
type Slashed<Path extends string> = { [Key in Path]: `${Key}/` }[Path]

/** The path itself. For a path that the service does not have: the right one, if only the slash is missing, so that errors name both. */
type Known<Path extends string, Method extends HttpMethod> = Path extends PathsWithMethod<paths, Method>
  ? Path
  : Slashed<Path> extends PathsWithMethod<paths, Method> ? Slashed<Path> : PathsWithMethod<paths, Method>

/** The options of a request, which are required if one of them is. */
type Options<Init> = RequiredKeysOf<Init> extends never ? [Init?] : [Init]

/**
 * Sends a request: its path as in the OpenAPI document, then `params` (`path`, `query`, `header`), `body` and the options of `fetch`.
 * Unlike openapi-fetch's own type, it refuses unknown fields of a body. With `parseAs: 'blob'`, the data is a `Blob`. A `body` that is a
 * `Blob` or a `Uint8Array` is sent unchanged.
 */
type Send<Method extends HttpMethod> = <Path extends PathsWithMethod<paths, Method> | (string & {}), As extends ParseAs = 'json'>(
  path: Known<Path, Method>,
  ...options: Options<MaybeOptionalInit<paths[Path & PathsWithMethod<paths, Method>], Method> & { parseAs?: As }>
) => Promise<FetchResponse<
  paths[Path & PathsWithMethod<paths, Method>][Method] & Record<string | number, any>, { parseAs: As }, 'application/json'
>>

/** A typed client based on openapi-fetch. Its requests return `{ data, error, response }`. */
export interface ObraClient extends Pick<Client<paths, 'application/json'>, 'use' | 'eject'> {
  GET: Send<'get'>
  /** Sends a HEAD to a path of GET. Its answer has headers only. */
  HEAD: <Path extends PathsWithMethod<paths, 'get'>>(
    path: Path, ...options: Options<MaybeOptionalInit<paths[Path], 'get'>>
  ) => Promise<{ data?: never, error?: never, response: Response }>
  POST: Send<'post'>
  PUT: Send<'put'>
  PATCH: Send<'patch'>
  DELETE: Send<'delete'>
  /**
   * Iterates over all records of a list and loads each page when it is needed. Each record comes once, also during concurrent
   * writes. Only a record whose ordering value changes can be skipped or repeated.
   * @throws {ObraError} for any answer that is not a success
   */
  all: <Path extends ListPath>(
    path: Path, options?: { query?: Query<Path>, signal?: AbortSignal }
  ) => AsyncGenerator<Item<Path>, void, undefined>
  /**
   * Logs in. The client logs in again by itself when the session ends. Until the log-in succeeds, the previous user and session stay, and
   * requests are sent as this user. If several calls overlap, the last call of `logIn` or `logOut` that succeeds decides.
   * @throws {ObraError} 401 `no_active_account`, 429; 401 `user_changed` if a later `logIn` of another user has succeeded; 401
   *   `not_authenticated` after a later `logOut`
   */
  logIn: (credentials: Credentials) => Promise<void>
  /** Language of messages, if the client has been given one. */
  readonly language: 'en' | 'es' | undefined
  /** Id of the user of the current tokens, also after they have expired. Undefined before the first log-in and after a log-out. */
  readonly user: number | undefined
  /** Calls back when the user has changed, and when the same user has logged in by `logIn`. @returns a function that stops it */
  watchUser: (watcher: () => void) => () => void
  /** Returns a `fetch` for the option of a request: it rejects with 401 `user_changed` instead of sending the request as another user. */
  fetchAs: (user: number | undefined) => (request: Request, init?: { signal?: AbortSignal, attemptMs?: number }) => Promise<Response>
  /** Ends the session, immediately in the client and then at the service. Rejects if the service cannot be reached. */
  logOut: () => Promise<void>
}
