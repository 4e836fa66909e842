/** A global that the client needs, whether this engine has it, and the package that adds it to React Native. */
const needed = [
  ...['fetch', 'Headers', 'Request', 'Response', 'AbortController', 'Blob', 'FormData'].map(name => (
    { name, isThere: () => name in globalThis })),
  { name: 'URL', isThere: hasUrls, from: 'react-native-url-polyfill/auto' },
  { name: 'crypto.getRandomValues', isThere: () => 'getRandomValues' in globalThis.crypto, from: 'react-native-get-random-values' }
]

/**
 * Checks that the JavaScript engine has the globals that requests need. Without them, requests would fail later with other messages.
 * @throws {TypeError} that names the first missing one
 */
export function checkGlobals () {
  const missing = needed.find(({ isThere }) => !succeeds(isThere))
  if (missing === undefined) return
  const advice = 'from' in missing ? `In React Native, import '${missing.from}' before the client.` : 'Import a polyfill before the client.'
  throw new TypeError(`createObraClient needs the global ${missing.name}, which is missing here or incomplete. ${advice}`)
}

/** Whether `URL` is complete. React Native's own one does not parse. */
function hasUrls () {
  const { pathname, searchParams } = new URL('https://api.example.mx/api/?page=2')
  return pathname === '/api/' && Object.fromEntries(searchParams)['page'] === '2'
}

function succeeds (check: () => boolean) {
  try {
    return check()
  } catch {
    return false
  }
}
