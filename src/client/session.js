import { ObraError, unwrap } from './errors.js'

/** @import { Client } from 'openapi-fetch' */
/** @import { Credentials, ObraClientOptions, paths, Tokens } from './index.d.ts' */
/** @typedef {Client<paths, 'application/json'>} PlainClient */
/** @typedef {(request: Request) => Promise<Response>} Fetch */
/** @typedef {Pick<ObraClientOptions, 'tokens' | 'email' | 'password' | 'onTokens' | 'onLogout'>} Account */

/**
 * Who a client is logged in as. The tokens are held as the promise of a pair, and a request remembers which promise it was sent with: however many
 * find theirs refused, the first replaces it by that of a refresh and the others wait for the same. A log-in or log-out by the caller begins another
 * era: what was under way before it is sent again as nobody else, and its tokens are handed to nobody.
 */
export class Session {
  /** @type {PlainClient} */
  #plain
  /** @type {Fetch} */
  #fetch
  /** @type {Account} */
  #account
  /** @type {Promise<Tokens> | undefined} */
  #tokens
  #era = 0

  /**
   * @param {PlainClient} plain what sends without a token
   * @param {Fetch} fetch what sends a request that has one
   * @param {Account} account
   */
  constructor (plain, fetch, { tokens, ...account }) {
    this.#plain = plain
    this.#fetch = fetch
    this.#account = account
    this.#tokens = tokens === undefined ? undefined : Promise.resolve(tokens)
  }

  /**
   * Sends a request with the access token, and once more with the next one where that was refused.
   * @param {Request} request
   */
  async send (request) {
    const era = this.#era
    const used = this.#tokens ?? this.#replace(this.#logIn())
    const response = await this.#sendWith(request.clone(), used)
    if (!await isRefused(response) || era !== this.#era) return response
    // Another request may have replaced the tokens meanwhile.
    const next = this.#tokens === used ? this.#replace(this.#refresh(used)) : this.#tokens ?? used
    return await this.#sendWith(request, next)
  }

  /**
   * Logs in, as somebody else where the client was logged in.
   * @param {Credentials} credentials
   */
  async begin ({ email, password }) {
    this.#era++
    Object.assign(this.#account, { email, password })
    await this.#replace(this.#logIn())
  }

  /** Ends the session here, then at the service. */
  async end () {
    this.#era++
    const tokens = this.#tokens
    this.#tokens = undefined
    Object.assign(this.#account, { email: undefined, password: undefined })
    try {
      const last = await tokens
      if (last !== undefined) await new Session(this.#plain, this.#fetch, { tokens: last }).#revoke(last)
    } catch (error) {
      // It has ended already.
      if (!isUnauthorized(error)) throw error
    }
  }

  /**
   * Puts an attempt in the tokens' place. One that nobody answered leaves what was there before; a refusal stays, so that it is not asked for again and again.
   * @param {Promise<Tokens>} tokens
   */
  #replace (tokens) {
    const before = this.#tokens
    tokens.catch((error) => { if (this.#tokens === tokens && !isUnauthorized(error)) this.#tokens = before })
    this.#tokens = tokens
    return tokens
  }

  async #logIn () {
    const { email, password = '' } = this.#account
    if (email === undefined) throw new ObraError({ detail: 'Not logged in.', code: 'not_authenticated' }, new Response(null, { status: 401 }))
    return await this.#kept(this.#plain.POST('/api/v1/api-token-auth/', { body: { email, password } }))
  }

  /** @param {Promise<Tokens>} used */
  async #refresh (used) {
    const era = this.#era
    const { access, refresh } = await used
    try {
      return await this.#kept(this.#plain.POST('/api/v1/api-token-refresh/', { body: { refresh }, headers: { authorization: `Bearer ${access}` } }))
        .catch(async (error) => {
          if (!isUnauthorized(error) || era !== this.#era || this.#account.email === undefined) throw error
          return await this.#logIn()
        })
    } catch (error) {
      if (isUnauthorized(error) && era === this.#era) this.#account.onLogout?.(error)
      throw error
    }
  }

  /**
   * New tokens, when whoever keeps them has them.
   * @param {Promise<{ data?: Tokens, error?: unknown, response: Response }>} answer
   */
  async #kept (answer) {
    const era = this.#era
    const tokens = await unwrap(answer)
    if (era === this.#era) await this.#account.onTokens?.(tokens)
    return tokens
  }

  /** @param {Tokens} tokens */
  async #revoke ({ refresh }) {
    await unwrap(this.#plain.POST('/api/v1/api-token-revoke/', { body: { refresh }, fetch: async request => await this.send(request) }))
  }

  /**
   * @param {Request} request
   * @param {Promise<Tokens>} tokens
   */
  async #sendWith (request, tokens) {
    const { access } = await unlessAborted(tokens, request.signal)
    request.headers.set('authorization', `Bearer ${access}`)
    return await this.#fetch(request)
  }
}

/**
 * What others wait for as well: a caller who no longer does is let go, and nothing else ends.
 * @template Value
 * @param {Promise<Value>} promise
 * @param {AbortSignal} signal
 * @returns {Promise<Value>}
 */
async function unlessAborted (promise, signal) {
  signal.throwIfAborted()
  return await new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/**
 * @param {unknown} error
 * @returns {error is ObraError}
 */
function isUnauthorized (error) {
  return error instanceof ObraError && error.status === 401
}

/**
 * Whether an answer refuses the access token; the token endpoints refuse those of their bodies by the same code.
 * @param {Response} response
 */
async function isRefused (response) {
  if (response.status !== 401) return false
  const { code, messages } = /** @type {{ code?: string, messages?: unknown[] }} */ (await response.clone().json().catch(() => ({})))
  return code === 'token_not_valid' && messages !== undefined
}
