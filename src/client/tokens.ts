import { hasType } from './verdicts.ts'

/** The claims of an access token. Other text has none. */
export function claimsOf (access: string) {
  const none: { user_id?: number, iat?: number, exp: number } = { exp: 0 }
  try {
    return { ...none, ...JSON.parse(textOf(access.split('.')[1] ?? '')) }
  } catch {
    return none
  }
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * Decodes base64url, one character per byte. Not all JavaScript engines of phones have `atob`.
 * @throws {TypeError} for other characters
 */
function textOf (code: string) {
  let [text, bits, count] = ['', 0, 0]
  for (const character of code.replace(/=*$/, '').replaceAll('+', '-').replaceAll('/', '_')) {
    const digit = digits.indexOf(character)
    if (digit === -1) throw new TypeError('not base64url')
    bits = ((bits << 6) | digit) & 0xffff
    count += 6
    if (count < 8) continue
    count -= 8
    text += String.fromCharCode((bits >> count) & 0xff)
  }
  return text
}

/**
 * Whether an answer refuses the access token. The token endpoints answer with the same code for a token in the body, but without
 * `messages`. The answer to a HEAD has no body: the token counts as refused.
 */
export async function isRefused ({ method }: Request, response: Response) {
  if (response.status !== 401 || !hasType(response, 'application/json')) return false
  if (method === 'HEAD') return true
  const body = await response.clone().json().catch(() => undefined)
  const { code, messages }: { code?: unknown, messages?: unknown } = Object(body)
  return code === 'token_not_valid' && messages !== undefined
}
