import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { createObraClient } from 'obra/client'
import type { ObraClient, ObraClientOptions } from 'obra/client'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { build, type TestServer } from '../../support/helper.ts'

/** A listening server, and clients that record their requests. */
export interface ListeningServer extends TestServer {
  origin: string
  client: (options?: ObraClientOptions) => { obra: ObraClient, sent: Array<{ path: string, headers: Headers }> }
}

/** Starts a server on a fresh database with demo data, until the test ends. */
export async function listen (t: Test): Promise<ListeningServer> {
  const server = await build(t)
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
  return {
    ...server,
    origin,
    client (options = { email: 'director@demo.example', password: demoPassword }) {
      const sent: Array<{ path: string, headers: Headers }> = []
      const obra = createObraClient({
        baseUrl: origin,
        fetch: async (request) => {
          sent.push({ path: new URL(request.url).pathname, headers: request.headers })
          return await fetch(request)
        },
        ...options
      })
      return { obra, sent }
    }
  }
}
