import { ObraError, unwrap } from './errors.js'

/** @import { Client } from 'openapi-fetch' */
/** @import { Credentials, ObraClientOptions, paths, Tokens } from './index.d.ts' */
/** @typedef {Client<paths, 'application/json'>} PlainClient */
/** @typedef {(request: Request) => Promise<Response>} Fetch */
/** @typedef {Pick<ObraClientOptions, 'tokens' | 'email' | 'password' | 'onTokens' | 'onLogout'>} Account */

/**
 * Who a client is logged in as. The tokens are held as the promise of a pair, and a request remembers which promise it was sent with: however many
 * find theirs refused, the first replaces it by that of a refresh and the others wait for the same.
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
    const used = this.#tokens ?? this.#replace(() => this.#logIn())
    const response = await this.#sendWith(request.clone(), await used)
    if (!await isRefused(response)) return response
    // Another request may have replaced the tokens meanwhile.
    const next = this.#tokens === used ? this.#replace(() => this.#refresh(used)) : this.#tokens ?? used
    return await this.#sendWith(request, await next)
  }

  /**
   * Logs in, as somebody else where the client was logged in.
   * @param {Credentials} credentials
   */
  async begin ({ email, password }) {
    Object.assign(this.#account, { email, password })
    await this.#replace(() => this.#logIn())
  }

  /** Ends the session here, then at the service. */
  async end () {
    const ending = new Session(this.#plain, this.#fetch, { tokens: await this.#tokens?.catch(() => undefined) })
    Object.assign(this.#account, { email: undefined, password: undefined })
    this.#tokens = undefined
    await ending.#revoke()
  }

  /**
   * Puts an attempt in the tokens' place. One that nobody answered leaves what was there before; a refusal stays, so that it is not asked for again and again.
   * @param {() => Promise<Tokens>} attempt
   */
  #replace (attempt) {
    const before = this.#tokens
    const tokens = attempt()
    tokens.catch(({ status }) => { if (this.#tokens === tokens && status !== 401) this.#tokens = before })
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
    const { access, refresh } = await used
    try {
      return await this.#kept(this.#plain.POST('/api/v1/api-token-refresh/', { body: { refresh }, headers: { authorization: `Bearer ${access}` } }))
    } catch (error) {
      if (!(error instanceof ObraError) || error.status !== 401) throw error
      if (this.#account.email !== undefined) return await this.#logIn()
      this.#account.onLogout?.(error)
      throw error
    }
  }

  /**
   * New tokens, when whoever keeps them has them.
   * @param {Promise<{ data?: Tokens, error?: unknown, response: Response }>} answer
   */
  async #kept (answer) {
    const tokens = await unwrap(answer)
    await this.#account.onTokens?.(tokens)
    return tokens
  }

  async #revoke () {
    if (this.#tokens === undefined) return
    const { refresh } = await this.#tokens
    const { error, response } = await this.#plain.POST('/api/v1/api-token-revoke/', { body: { refresh }, fetch: async request => await this.send(request) })
    // 401: it has ended already.
    if (!response.ok && response.status !== 401) throw new ObraError(error, response)
  }

  /**
   * @param {Request} request
   * @param {Tokens} tokens
   */
  #sendWith (request, { access }) {
    request.headers.set('authorization', `Bearer ${access}`)
    return this.#fetch(request)
  }
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
