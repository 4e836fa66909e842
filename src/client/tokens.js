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
 * `messages`. The answer to a HEAD has no body: the token counts as refused.
 * @param {Request} request
 * @param {Response} response
 */
export async function isRefused ({ method }, response) {
  if (response.status !== 401 || method === 'HEAD') return response.status === 401
  const { code, messages } = /** @type {{ code?: string, messages?: unknown[] }} */ (await response.clone().json().catch(() => ({})))
  return code === 'token_not_valid' && messages !== undefined
}
