import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { decoded } from '../decoded.ts'
import { Contract, serviceContract, type Exchange } from './contract.ts'

/**
 * Checks every response of an application against the OpenAPI document. `inject` throws if its response differs; the teardown of the test
 * throws if a response over a socket differed.
 * @param hidden paths of routes that are not in the document
 */
export function holdToDocument (t: Test, app: FastifyInstance, hidden: string[] = []): void {
  const undocumented = ['/docs', '/example', ...hidden].map(address => address.split(':')[0])
  let own: Promise<Contract> | undefined

  // Most applications have only the service's routes. One with additional routes of a test has its own document.
  async function broken (exchange: Exchange): Promise<string | undefined> {
    if (undocumented.some(address => exchange.url.startsWith(address)) || isStartPage(exchange)) return undefined
    const difference = (await serviceContract()).broken(exchange)
    if (difference === undefined) return undefined
    own ??= app.openapi().then(document => new Contract(document))
    return (await own).broken(exchange)
  }

  const inject = app.inject.bind(app) as (options: unknown) => Promise<LightMyRequestResponse>
  app.inject = (async (options: unknown) => {
    const response = await inject(options)
    const { method = 'GET', url = '' } = response.raw.req
    const difference = await broken({ method, url, status: response.statusCode, headers: response.headers, body: decoded(method === 'HEAD' ? undefined : response.headers['content-encoding'], response.rawPayload) })
    if (difference !== undefined) throw new Error(difference)
    return response
  }) as typeof app.inject

  const sent: Exchange[] = []
  app.server.prependListener('request', (request, response) => {
    // `getHeaders` lacks the headers that Fastify passes to `writeHead`.
    const writeHead = response.writeHead.bind(response) as (...parts: any[]) => typeof response
    response.writeHead = (...parts: any[]) => {
      const [status, given] = parts as [number, Record<string, unknown>]
      const { method = 'GET', url = '' } = request // as routed
      const exchange: Exchange = { method, url, status, headers: { ...response.getHeaders(), ...given } }
      sent.push(exchange)
      // A stream writes its body before `end`, and none is JSON of the service.
      const end = response.end.bind(response) as (...parts: unknown[]) => typeof response
      response.end = (...parts: unknown[]) => {
        if (typeof parts[0] === 'string') exchange.body = parts[0]
        if (Buffer.isBuffer(parts[0])) exchange.body = decoded(exchange.headers['content-encoding'], parts[0])
        return end(...parts)
      }
      return writeHead(...parts)
    }
  })
  t.teardown(async () => {
    for (const exchange of sent) {
      const difference = await broken(exchange)
      if (difference !== undefined) throw new Error(difference)
    }
  })
}

function isStartPage ({ method, url, status, headers }: Exchange): boolean {
  return method === 'GET' && url.split('?')[0] === '/' && [200, 406].includes(status) && /^(?:text\/html|application\/json);/.test(String(headers['content-type']))
}
