/** @import { ProblemCode } from './index.d.ts' */

/**
 * The content of an error of the service.
 * @typedef {object} ErrorContent
 * @property {string} detail
 * @property {string} [code] missing in a 400
 * @property {Record<string, string[]>} [errors]
 * @property {Record<string, ProblemCode[]>} [codes]
 */

/**
 * The content of an answer, if it is a verdict of the service: `application/json`, an object with a text `detail` and a text `code`, or in
 * a 400 with messages by field in `errors`. Everything else comes from a proxy, a gateway or a captive portal, and says nothing about the
 * request. Gateways answer JSON too, such as `{"message": "Forbidden"}` or `application/problem+json`. No header decides, because proxies
 * also set `X-Request-Id`.
 * @param {unknown} body parsed
 * @param {Response} response
 * @returns {ErrorContent | undefined}
 */
export function contentOf (body, response) {
  if (!hasType(response, 'application/json') || !isObject(body)) return undefined
  const { detail, code, errors } = body
  if (typeof detail !== 'string') return undefined
  const isVerdict = typeof code === 'string' || (response.status === 400 && isObject(errors) && Object.values(errors).every(Array.isArray))
  return isVerdict ? /** @type {any} */ (body) : undefined
}

/** @param {Response} response @param {string} type a media type */
export function hasType (response, type) {
  const [given = ''] = (response.headers.get('content-type') ?? '').split(';')
  return given.trim().toLowerCase() === type
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject (value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
