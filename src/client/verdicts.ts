import type { components } from './api.d.ts'

/** Code of a problem in a 400, the same in each language. */
export type ProblemCode = components['schemas']['ProblemCode']

/** The content of an error of the service. */
interface ErrorContent {
  detail: string
  /** Missing in a 400. */
  code?: string
  errors?: Record<string, string[]>
  codes?: Record<string, ProblemCode[]>
}

/**
 * The content of an answer, if it is a verdict of the service: `application/json`, an object with a text `detail` and a text `code`, or in
 * a 400 with messages by field in `errors`. Everything else comes from a proxy, a gateway or a captive portal, and says nothing about the
 * request. Gateways answer JSON too, such as `{"message": "Forbidden"}` or `application/problem+json`. No header decides, because proxies
 * also set `X-Request-Id`.
 * @param body parsed
 */
export function contentOf (body: unknown, response: Response): ErrorContent | undefined {
  return hasType(response, 'application/json') && isVerdict(body, response.status) ? body : undefined
}

function isVerdict (body: unknown, status: number): body is ErrorContent {
  if (!isObject(body) || typeof body['detail'] !== 'string') return false
  const { code, errors } = body
  return typeof code === 'string' || (status === 400 && isObject(errors) && Object.values(errors).every(Array.isArray))
}

/** @param type a media type */
export function hasType (response: Response, type: string) {
  const [given = ''] = (response.headers.get('content-type') ?? '').split(';')
  return given.trim().toLowerCase() === type
}

function isObject (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
