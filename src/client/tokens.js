/**
 * The claims of an access token. Other text has none.
 * @param {string} access
 */
export function claimsOf (access) {
  /** @type {{ user_id?: number, iat?: number, exp: number }} */
  const none = { exp: 0 }
  try {
    return { ...none, ...JSON.parse(atob((access.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))) }
  } catch {
    return none
  }
}

/**
 * Whether an answer refuses the access token. The token endpoints answer with the same code for a token in the body, but without
 * `messages`.
 * @param {Response} response
 */
export async function isRefused (response) {
  if (response.status !== 401) return false
  const { code, messages } = /** @type {{ code?: string, messages?: unknown[] }} */ (await response.clone().json().catch(() => ({})))
  return code === 'token_not_valid' && messages !== undefined
}
