const example = "createObraClient({ baseUrl: 'https://api.example.mx' })"

/**
 * Checks that requests can be sent to a base URL. A missing one fails where the app creates the client, not in its first request.
 * @param baseUrl absolute, or relative to the URL of the page
 * @returns the same
 * @throws {TypeError} for a URL without HTTP, or a relative one where there is no page
 */
export function checkedBaseUrl (baseUrl: string): string {
  const found = baseUrl === '' ? 'baseUrl is missing' : `baseUrl ${JSON.stringify(baseUrl)} cannot be used`
  const fail = (reason: string) => new TypeError(`${found}: ${reason}. Set the URL of the service, such as ${example}.`)
  if (typeof baseUrl !== 'string') throw fail('it is not a string')
  const url = parsed(baseUrl) ?? parsed(baseUrl, pageUrl())
  if (url === undefined) throw fail('without a page, as in Node.js and React Native, it must be an absolute URL')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw fail(`requests would go to ${url.protocol} and not to https: or http:`)
  return baseUrl
}

function parsed (text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** The URL that completes relative ones: of the page, or of a worker. */
function pageUrl () {
  const scope: unknown = globalThis
  const { document, location } = scope as { document?: { baseURI: string }, location?: { href: string } } // only in browsers
  return document?.baseURI ?? location?.href
}
