import type { Config } from '../config.ts'

/** Response headers that scripts of another origin may read. */
export const exposedHeaders = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Sunset',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Offset',
  'X-Request-Id'
]

/** The origins in CORS_ORIGINS. */
export function corsOrigins ({ CORS_ORIGINS: origins }: Pick<Config, 'CORS_ORIGINS'>): string[] {
  return origins?.split(',').map(origin => origin.trim()) ?? []
}

/** Headers with which a script of an origin can read an answer. None for an origin that is not allowed. */
export function corsHeaders (origin: string | undefined, allowed: readonly string[]): Record<string, string> {
  if (origin === undefined || !allowed.includes(origin)) return {}
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposedHeaders.join(', '), vary: 'Origin' }
}
