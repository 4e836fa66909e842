import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { Contract, serviceContract, type Exchange } from './contract.ts'

/**
 * Holds every answer of an application against the OpenAPI document: what `inject` brings at once, so that the request fails that was answered so;
 * what goes over sockets when the test ends.
 * @param hidden addresses of routes that ask not to be in the document
 */
export function holdToDocument (t: Test, app: FastifyInstance, hidden: string[] = []): void {
  const unspoken = ['/docs', ...hidden].map(address => address.split(':')[0] as string)
  let own: Promise<Contract> | undefined

  // Most applications have the service's routes; one that has routes of a test's own has a document of its own.
  async function broken (exchange: Exchange): Promise<string | undefined> {
    if (unspoken.some(address => exchange.url.startsWith(address))) return undefined
    const told = (await serviceContract()).broken(exchange)
    if (told === undefined) return undefined
    own ??= app.openapi().then(document => new Contract(document))
    return (await own).broken(exchange)
  }

  const inject = app.inject.bind(app) as (options: unknown) => Promise<LightMyRequestResponse>
  app.inject = (async (options: unknown) => {
    const response = await inject(options)
    const { method = 'GET', url = '' } = response.raw.req
    const told = await broken({ method, url, status: response.statusCode, headers: response.headers, body: response.body })
    if (told !== undefined) throw new Error(told)
    return response
  }) as typeof app.inject

  const sent: Exchange[] = []
  app.server.prependListener('request', (request, response) => {
    // Node forgets the headers that Fastify gives to `writeHead`.
    const writeHead = response.writeHead.bind(response) as (...parts: any[]) => typeof response
    response.writeHead = (...parts: any[]) => {
      const [status, given] = parts as [number, Record<string, unknown>]
      const { method = 'GET', url = '' } = request // as it was routed
      const exchange: Exchange = { method, url, status, headers: { ...response.getHeaders(), ...given } }
      sent.push(exchange)
      // What comes as a stream is written in parts before the end, and is no JSON of ours.
      const end = response.end.bind(response) as (...parts: unknown[]) => typeof response
      response.end = (...parts: unknown[]) => {
        if (typeof parts[0] === 'string' || Buffer.isBuffer(parts[0])) exchange.body = parts[0].toString()
        return end(...parts)
      }
      return writeHead(...parts)
    }
  })
  t.teardown(async () => {
    for (const exchange of sent) {
      const told = await broken(exchange)
      if (told !== undefined) throw new Error(told)
    }
  })
}
