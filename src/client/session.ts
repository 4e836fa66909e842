import { clientError, isOfProxy, ObraError, unwrap, unwrapChecked } from './errors.ts'
import { claimsOf, isRefused } from './tokens.ts'
import { unlessAborted } from './waits.ts'
import type { Credentials, ObraClientOptions, Tokens } from './types.ts'
import type { Fetch, PlainClient, SendOptions } from './signals.ts'

type Account = Pick<ObraClientOptions, 'tokens' | 'email' | 'password' | 'onTokens' | 'onLogout'>

/** Time in ms after which an attempt of a log-in or refresh without an answer has failed. Other requests wait for it. */
const maxAttemptMs = 60_000

/**
 * The session of a client. The tokens are a promise of a pair, and each request remembers the promise it used. If several requests find
 * their token refused, the first one starts a refresh and the others wait for it. A log-out by the caller, or a log-in that has succeeded,
 * begins a new era: requests of an earlier era are not repeated as another user, and their tokens are not passed to `onTokens`.
 */
export class Session {
  #plain: PlainClient
  #fetch: Fetch
  #account: Account
  #tokens: Promise<Tokens> | undefined
  /** Number of log-ins and log-outs that the caller has begun. */
  #calls = 0
  /** The call that began the present session. An earlier call that succeeds later changes nothing. */
  #era = 0
  /** Ends with the latest log-in by the caller. */
  #beginning: Promise<void> = Promise.resolve()
  /** Ends when the tokens received so far are stored. */
  #taking: Promise<unknown> = Promise.resolve()
  /** Tokens that another tab has received. */
  #adopted = new WeakSet<Tokens>()
  /** Time of the service minus this device's, in ms. Undefined before the first answer with tokens. */
  #clockDifference: number | undefined
  /** Reads the latest tokens, which another tab can have replaced. */
  #readTokens: () => Tokens | undefined = () => undefined
  #user: number | undefined
  #watchers = new Set<() => void>()

  /** @param plain sends requests without a token @param fetch sends requests with a token */
  constructor (plain: PlainClient, fetch: Fetch, { tokens, ...account }: Account) {
    this.#plain = plain
    this.#fetch = fetch
    this.#account = account
    if (typeof tokens === 'function') this.#readTokens = tokens
    const first = typeof tokens === 'function' ? tokens() : tokens
    this.#tokens = first && Promise.resolve(first)
    this.#user = first && claimsOf(first.access).user_id
  }

  /** Id of the user of the latest tokens. They can have expired. */
  get user () {
    return this.#user
  }

  /** @param watcher is called when the user has changed, and when the same user has logged in by `begin` */
  watchUser (watcher: () => void) {
    this.#watchers.add(watcher)
    return () => { this.#watchers.delete(watcher) }
  }

  /**
   * Sends a request with the access token, and again with the next token if it is refused.
   * @param user the only user as whom it is sent. Default: the present one
   */
  async send (request: Request, { signal, attemptMs }: SendOptions = {}, user = this.#user) {
    if (this.#tokens === undefined) await unlessAborted(this.#beginning, signal)
    const era = this.#era
    let used = this.#tokens ?? this.#replace(this.#logInAgain(era))
    for (let attempt = 1; ; attempt++) {
      const response = await this.#sendWith(request.clone(), used, { signal, attemptMs }, user)
      // The tokens of another tab can have expired too.
      const isLast = attempt > 1 && !(attempt === 2 && this.#adopted.has(await used))
      if (isLast || !await isRefused(request, response) || era !== this.#era) return response
      // Another request may have replaced the tokens already.
      used = this.#tokens === used ? this.#replace(this.#refresh(used)) : this.#tokens ?? used
    }
  }

  /**
   * Logs in, also as another user. Until the log-in succeeds, the previous user and session stay.
   * @throws {ObraError} 401 `user_changed` or `not_authenticated` after a later log-in of another user or a log-out
   */
  async begin ({ email, password }: Credentials) {
    const begun = this.#begin({ email, password }, ++this.#calls)
    this.#beginning = begun.catch(() => {})
    await begun
  }

  async #begin (credentials: Credentials, era: number) {
    // A user waits for the answer, and should see how long the service asks to wait.
    const tokens = await this.#logIn(credentials, { maxWaitSeconds: 0 })
    if (await this.#take(tokens, era, credentials)) return
    // No request uses these tokens. Without a connection, their session ends by its age.
    this.#revoke(tokens).catch(() => {})
    if (this.#user === undefined) throw notLoggedIn()
    if (this.#user !== claimsOf(tokens.access).user_id) throw userChanged()
  }

  /** Ends the session here, then at the service. */
  async end () {
    this.#era = ++this.#calls
    const tokens = this.#tokens
    this.#tokens = undefined
    this.#setUser(undefined)
    Object.assign(this.#account, { email: undefined, password: undefined })
    try {
      const last = await tokens
      if (last !== undefined) await this.#revoke(last)
    } catch (error) {
      // The session has ended already.
      if (!isUnauthorized(error)) throw error
    }
  }

  /**
   * Sets the tokens to the result of a refresh, or of a log-in that a request needs. If it fails, the previous tokens return. But a 401
   * stays, so that it is not repeated for each request.
   */
  #replace (tokens: Promise<Tokens>) {
    const before = this.#tokens
    tokens.catch((error) => { if (this.#tokens === tokens && !isUnauthorized(error)) this.#tokens = before })
    this.#tokens = tokens
    return tokens
  }

  async #logIn ({ email, password }: Credentials, limits?: { maxWaitSeconds?: number }) {
    const fetch = this.#timed(limits)
    return await this.#received(this.#plain.POST('/api/v1/api-token-auth/', { body: { email, password }, fetch }))
  }

  /** Logs in with the credentials of the session. */
  async #logInAgain (era: number) {
    const { email, password = '' } = this.#account
    if (email === undefined) throw notLoggedIn()
    const tokens = await this.#logIn({ email, password })
    await this.#take(tokens, era)
    return tokens
  }

  async #refresh (used: Promise<Tokens>) {
    const era = this.#era
    const previous = await used
    const latest = this.#readTokens() ?? previous
    if (latest.access !== previous.access && claimsOf(latest.access).exp * 1000 > this.#serverTime()) {
      this.#adopted.add(latest)
      if (era === this.#era) this.#setUser(claimsOf(latest.access).user_id)
      return latest
    }
    try {
      return await this.#renewed(latest, era)
    } catch (error) {
      if (isUnauthorized(error) && era === this.#era) this.#account.onLogout?.(error)
      throw error
    }
  }

  /** The next tokens: from the refresh token or, if the service refuses it, from a log-in. */
  async #renewed ({ access, refresh }: Tokens, era: number) {
    const headers = { authorization: `Bearer ${access}` }
    try {
      const options = { body: { refresh }, headers, fetch: this.#timed() }
      const tokens = await this.#received(this.#plain.POST('/api/v1/api-token-refresh/', options))
      await this.#take(tokens, era)
      return tokens
    } catch (error) {
      if (!isUnauthorized(error) || era !== this.#era || this.#account.email === undefined) throw error
      return await this.#logInAgain(era)
    }
  }

  /** Sends a request of tokens. */
  #timed (limits?: { maxWaitSeconds?: number }) {
    return async (request: Request) => await this.#fetch(request, { attemptMs: maxAttemptMs, ...limits })
  }

  /** Returns new tokens. */
  async #received (answer: Promise<{ data?: Tokens, error?: unknown, response: Response }>) {
    const areTokens = ({ access, refresh }: Tokens) => typeof access === 'string' && typeof refresh === 'string'
    const tokens = await unwrapChecked(answer, areTokens)
    const { iat } = claimsOf(tokens.access)
    if (iat !== undefined) this.#clockDifference = iat * 1000 - Date.now()
    return tokens
  }

  /**
   * Passes new tokens to `onTokens`, then makes their user that of the session. One pair follows the other, so that the last pair that is
   * stored is that of the session.
   * @param credentials of a log-in that begins this era
   * @returns false if a later era has begun
   */
  async #take (tokens: Tokens, era: number, credentials?: Credentials): Promise<boolean> {
    const taken = this.#taking.then(async () => {
      if (era < this.#era) return false
      await this.#account.onTokens?.(tokens)
      if (era < this.#era) return false
      const user = claimsOf(tokens.access).user_id
      if (credentials !== undefined) {
        this.#era = era
        this.#tokens = Promise.resolve(tokens)
        Object.assign(this.#account, credentials)
        // A store that waits for another log-in of its user continues.
        if (user === this.#user) this.#notify()
      }
      this.#setUser(user)
      return true
    })
    this.#taking = taken.catch(() => {})
    return await taken
  }

  /**
   * The time of the service in ms. 0 if it is not known, because the clocks of devices can be hours off: then only the service knows what
   * has expired.
   */
  #serverTime () {
    return this.#clockDifference === undefined ? 0 : Date.now() + this.#clockDifference
  }

  #setUser (user: number | undefined) {
    if (user === this.#user) return
    this.#user = user
    this.#notify()
  }

  #notify () {
    for (const watcher of this.#watchers) watcher()
  }

  /** Ends a session at the service. */
  async #revoke (tokens: Tokens) {
    const session = new Session(this.#plain, this.#fetch, { tokens })
    const fetch = async (request: Request, init?: SendOptions) => await session.send(request, init)
    await unwrap(this.#plain.POST('/api/v1/api-token-revoke/', { body: { refresh: tokens.refresh }, fetch }))
  }

  async #sendWith (request: Request, tokens: Promise<Tokens>, init: SendOptions, user?: number) {
    const { access } = await unlessAborted(tokens, init.signal)
    if (user !== undefined && claimsOf(access).user_id !== user) throw userChanged()
    request.headers.set('authorization', `Bearer ${access}`)
    return await this.#fetch(request, init)
  }
}

/** Whether the service refuses the tokens or the password. A 401 of a proxy ends no session. */
function isUnauthorized (error: unknown): error is ObraError {
  return error instanceof ObraError && error.status === 401 && !isOfProxy(error)
}

function notLoggedIn () {
  return clientError(401, 'not_authenticated', 'Not logged in.')
}

function userChanged () {
  return clientError(401, 'user_changed', 'Another user has logged in.')
}
