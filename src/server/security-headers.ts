import type { Config } from '../config.ts'

/**
 * The security headers of every answer: those of Helmet 8 that apply to JSON (https://helmetjs.github.io/). HSTS is set if PUBLIC_URL is
 * HTTPS.
 */
export function securityHeaders ({ PUBLIC_URL: url }: Pick<Config, 'PUBLIC_URL'>): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    ...url?.startsWith('https:') === true && { 'strict-transport-security': 'max-age=31536000' },
    'x-content-type-options': 'nosniff'
  }
}
