import { Agent, request } from 'node:http'

/** One connection to a server, for one request at a time. */
export interface Connection {
  /** @returns the parsed answer and the ms until its last byte @throws {Error} with the answer, if it is not 200 */
  get: (path: string) => Promise<{ body: any, milliseconds: number, bytes: number }>
  close: () => void
}

/**
 * Opens a connection. Each request has a different Host header. Links in answers contain the host, so each request is a miss of
 * the page cache, whatever the size of the page.
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
        sending.on('timeout', () => sending.destroy(new Error(`${path}: no answer within 60 s`)))
        sending.end()
      })
      const milliseconds = performance.now() - started
      if (status !== 200) throw new Error(`${path} was answered by ${status}: ${bytes.toString().slice(0, 300)}`)
      return { body: JSON.parse(bytes.toString()), milliseconds, bytes: bytes.length }
    },
    close: () => agent.destroy()
  }
}
