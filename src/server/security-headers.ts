import type { Config } from '../config.ts'

/**
 * The security headers of every answer: what Helmet 8 sets for an API, whose answers nobody shows, frames or loads from another site
 * (https://helmetjs.github.io/). Browsers keep to HTTPS where PUBLIC_URL does.
 */
export function securityHeaders ({ PUBLIC_URL: url }: Pick<Config, 'PUBLIC_URL'>): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    ...url?.startsWith('https:') === true && { 'strict-transport-security': 'max-age=31536000' },
    'x-content-type-options': 'nosniff'
  }
}
