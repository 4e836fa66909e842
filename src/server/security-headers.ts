import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'
import type { Config } from '../config.ts'

/**
 * The security headers of every answer, as Helmet has them for a service of which nothing is to be shown, framed or loaded by another
 * site. They are the same each time, so Helmet is asked once (decision 22). Browsers are told to keep to HTTPS where PUBLIC_URL does.
 */
export function securityHeaders ({ PUBLIC_URL: url }: Pick<Config, 'PUBLIC_URL'>): Record<string, string> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => { headers[name.toLowerCase()] = value },
    removeHeader: () => {}
  }
  const ask = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: url?.startsWith('https:') === true && { includeSubDomains: false },
    // What these say is of pages, of which the API has none; frames are refused by the policy above.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false
  })
  ask({} as IncomingMessage, response as unknown as ServerResponse, (error) => { if (error !== undefined) throw error })
  return headers
}
