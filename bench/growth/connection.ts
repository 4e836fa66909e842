import { Agent, request } from 'node:http'

/** One connection to a server, on which requests go one after the other. */
export interface Connection {
  /** @returns the answer's JSON and the milliseconds until its last byte @throws {Error} with what came, when it was not 200 */
  get: (path: string) => Promise<{ body: any, milliseconds: number, bytes: number }>
  close: () => void
}

/**
 * Opens a connection. Every request names another host: an answer's links name the host it was asked by, so that no answer is remembered
 * for the next request and each is a miss of the page cache, whatever its size.
 */
export function connect (server: string, token: string): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { hostname, port } = new URL(server)
  let sent = 0
  return {
    async get (path) {
      const started = performance.now()
      const { status, bytes } = await new Promise<{ status: number, bytes: Buffer }>((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}`, host: `h${++sent}.example` }
        const sending = request({ agent, hostname, port, path, headers, timeout: 60_000 }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', chunk => chunks.push(chunk))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes: Buffer.concat(chunks) }))
          response.on('error', reject)
        })
        sending.on('error', reject)
        sending.on('timeout', () => sending.destroy(new Error(`${path}: no answer within a minute`)))
        sending.end()
      })
      const milliseconds = performance.now() - started
      if (status !== 200) throw new Error(`${path} was answered by ${status}: ${bytes.toString().slice(0, 300)}`)
      return { body: JSON.parse(bytes.toString()), milliseconds, bytes: bytes.length }
    },
    close: () => agent.destroy()
  }
}
