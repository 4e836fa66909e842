import type { IncomingMessage } from 'node:http'

const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)([^#]*)/i

/**
 * Path and query of a request target, for routing, links, the page cache and the log. The host of an absolute target
 * (`GET http://host/path`) replaces the `Host` header (RFC 9112, §3.2.2). Removes a fragment, which clients must not send.
 */
export function normalizeTarget ({ url = '/', headers }: IncomingMessage): string {
  let target = url
  if (!url.startsWith('/')) {
    const [, host, rest = ''] = absoluteForm.exec(url) ?? []
    if (host !== undefined) {
      headers.host = host
      target = rest.startsWith('/') ? rest : `/${rest}`
    }
  }
  const fragment = target.indexOf('#')
  if (fragment !== -1) target = target.slice(0, fragment)
  // An undecodable path gets the answer of any unknown path: 401, or 404 in the caller's language.
  return isDecodable(target) ? target : target.replaceAll('%', '%25')
}

function isDecodable (url: string): boolean {
  const [path] = url.split('?', 1) as [string]
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

const name = /^(?:[a-z\d._~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Whether a text is a valid `Host` or `X-Forwarded-Host`, with or without a port (RFC 3986, §3.2.2, without escapes). */
export function isHost (text: string): boolean {
  return text.length <= 261 && name.test(text) // a name of 255 characters, and a port
}
