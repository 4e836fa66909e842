import { isIP } from 'node:net'
import type { Config } from '../../config.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import { isLoopbackAddress, isPublicAddress } from './addresses.ts'

/** Which receivers a server may send webhooks to. */
export interface TargetPolicy {
  /** Ports of public receivers. */
  readonly ports: ReadonlySet<number>
  /** Whether receivers on this machine are allowed, on any port and with `http`. */
  readonly loopback: boolean
}

/** Longest URL in characters, as given and in its normal form, where a letter such as `ñ` takes six. */
const maxUrlLength = 2048

/** Reads the policy from the configuration. */
export function targetPolicy (config: Pick<Config, 'NODE_ENV' | 'WEBHOOK_PORTS'>): TargetPolicy {
  return { ports: new Set(config.WEBHOOK_PORTS.split(',').map(Number)), loopback: config.NODE_ENV !== 'production' }
}

/**
 * Checks the URL of a receiver, without resolving its name.
 * @returns the message of the first problem. undefined if the URL is allowed
 */
export function urlProblem (url: string, { ports, loopback }: TargetPolicy): ProblemKey | undefined {
  // `URL` removes tabs and line breaks and turns `\` into `/`, so the user would see another URL than the one in use.
  const target = url.length > maxUrlLength || /[\s\p{Cc}\\]/u.test(url) ? null : URL.parse(url)
  if (target === null || target.href.length > maxUrlLength) return 'notUrl'
  const host = hostOf(target)
  const local = loopback && isLoopbackHost(host)
  if (target.protocol !== 'https:' && !(target.protocol === 'http:' && local)) return 'urlScheme'
  // `URL` also accepts `https:host` and `https:///host`.
  if (!/^https?:\/\/[^/]/i.test(url)) return 'notUrl'
  if (target.username !== '' || target.password !== '') return 'urlCredentials'
  if (url.includes('#')) return 'urlFragment'
  if (local) return undefined
  if (!isPublicAddress(host) && !isPublicName(host)) return 'urlAddress'
  return ports.has(Number(target.port || 443)) ? undefined : 'urlPort'
}

/** The normal form of an allowed URL (RFC 3986, section 6.2): lower-case scheme and host, no default port, `/` as the empty path. */
export function normalizedUrl (url: string): string {
  return new URL(url).href
}

/** The host of a URL, an IPv6 address without its brackets. */
export function hostOf ({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/** Whether a host is this machine: a loopback address, `localhost` or a name below it (RFC 6761, section 6.3). */
export function isLoopbackHost (host: string): boolean {
  return isLoopbackAddress(host) || /^(.+\.)?localhost$/.test(host)
}

/** Whether a name can exist in public DNS. An egress proxy resolves names itself, maybe with names of its own network. */
function isPublicName (host: string): boolean {
  if (isIP(host) !== 0 || host.length > 253 || /\.(localhost|local|localdomain6?|internal|home\.arpa)$/.test(host)) return false
  const labels = host.split('.')
  return labels.length > 1 && labels.every(label => /^[a-z\d_-]{1,63}$/.test(label))
}
