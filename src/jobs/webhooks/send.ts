import { request as overHttp, type ClientRequest, type RequestOptions } from 'node:http'
import { request as overHttps } from 'node:https'
import { limits } from '../../config/limits.ts'
import type { Config } from '../../config.ts'
import { hostOf, isLoopbackHost, targetPolicy, urlProblem } from '../../domain/webhooks/target.ts'
import { message } from '../../http/messages.ts'
import { openAgents } from './agents.ts'
import { exchange, type ReceiverAnswer } from './exchange.ts'
import { failureText } from './failure.ts'
import { dnsResolver, publicLookup, type Resolve } from './lookup.ts'
import { retryAfter } from './retry-after.ts'
import { openTunnel } from './tunnel.ts'
import { codeOf } from '../../files/errors.ts'

/** Result of one attempt. */
export interface Outcome {
  /** Status of the answer. null without an answer. */
  status: number | null
  /** Duration in ms. */
  ms: number
  /** First kilobyte of the answer's body as text, at most 1024 characters. */
  body: string
  /** Why there is no answer, in English. null with an answer. */
  error: string | null
  /** Pause in ms that `Retry-After` asks for, 0 to one hour. undefined without a valid one. */
  retryAfter?: number
}

/** Sends webhooks. */
export interface Sender {
  /**
   * Sends one POST.
   * @param signal ends the attempt. An answer whose headers have arrived counts
   * @throws the reason of the signal, and nothing else
   */
  send: (url: string, headers: Record<string, string>, body: string, signal?: AbortSignal) => Promise<Outcome>
  /** Closes all connections. Abort or await the attempts before. */
  close: () => void
}

/** Variables that senders use. */
type SenderConfig = Pick<Config, 'NODE_ENV' | 'WEBHOOK_PORTS' | 'WEBHOOK_PROXY'>

/** Settings for tests. */
export interface SenderOptions {
  /** Time in ms of an attempt, from the name's resolution to the end of the body. Default: 15 s. */
  timeout?: number
  /** Default: DNS. */
  resolve?: Resolve
  /** Certificate authorities in PEM. Default: Node's. */
  ca?: string
}

/** Opens a sender of webhooks. It limits each attempt, not their number at the same time. */
export function sender (config: SenderConfig, { timeout = limits.webhooks.attemptMs, resolve, ca }: SenderOptions = {}): Sender {
  const policy = targetPolicy(config)
  const proxy = config.WEBHOOK_PROXY === undefined ? undefined : new URL(config.WEBHOOK_PROXY)
  const dns = dnsResolver()
  const agents = openAgents(publicLookup(resolve ?? dns.resolve), ca)

  function connectionOf (url: URL, kept: boolean, signal: AbortSignal): RequestOptions {
    // The loopback addresses of the proxy are those of another machine.
    if (proxy === undefined || isLoopbackHost(hostOf(url))) return { agent: agents.of(url, kept) }
    return {
      createConnection (_, done) {
        const fail = (error: Error) => done(error, undefined as never) // its type wants a socket beside an error
        openTunnel(proxy, url, signal, ca).then(socket => done(null, socket), fail)
        return undefined
      }
    }
  }

  async function attempt (url: URL, options: RequestOptions, body: string, signal: AbortSignal): Promise<ReceiverAnswer> {
    const request = open(url, { ...options, ...connectionOf(url, true, signal) })
    try {
      return await exchange(request, body, signal)
    } catch (error) {
      // The receiver may have closed the idle connection at the same time. Whether it has read the request is unknown, but deliveries are
      // at least once anyway, and the repetition has the same webhook-id.
      if (!request.reusedSocket || !isReset(error)) throw error
      return await exchange(open(url, { ...options, ...connectionOf(url, false, signal) }), body, signal)
    }
  }

  return {
    async send (url, headers, body, signal) {
      signal?.throwIfAborted()
      const start = performance.now()
      const elapsed = () => Math.round(performance.now() - start)
      const failed = (error: string): Outcome => ({ status: null, ms: elapsed(), body: '', error })
      const problem = urlProblem(url, policy)
      if (problem !== undefined) return failed(message('en', problem))

      const stop = new AbortController()
      const abort = () => stop.abort()
      const timer = setTimeout(abort, timeout)
      signal?.addEventListener('abort', abort)
      try {
        const length = String(Buffer.byteLength(body))
        const sentHeaders = { 'accept-encoding': 'identity', ...headers, 'content-length': length }
        const options = { method: 'POST', headers: sentHeaders, maxHeaderSize: 16_384 }
        const answer = await attempt(new URL(url), options, body, stop.signal)
        const pause = retryAfter(answer.headers['retry-after'])
        return { status: answer.status, ms: elapsed(), body: answer.body, error: null, ...pause !== undefined && { retryAfter: pause } }
      } catch (error) {
        signal?.throwIfAborted()
        return failed(stop.signal.aborted ? `no answer within ${timeout / 1000} s` : failureText(error))
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
    },
    close () {
      agents.close()
      dns.cancel()
    }
  }
}

function open (url: URL, options: RequestOptions): ClientRequest {
  return url.protocol === 'https:' ? overHttps(url, options) : overHttp(url, options)
}

function isReset (error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '')
}
