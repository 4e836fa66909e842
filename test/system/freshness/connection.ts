import { once } from 'node:events'
import { connect } from 'node:net'

/** An answer received over the socket. */
export interface Answer {
  status: number
  etag: string | undefined
  body: string
  /** Whether the answer was replayed for its Idempotency-Key. */
  replayed: boolean
  /** The process that answered: the prefix of its request ids. */
  process: string
}

/** A keep-alive connection for one request at a time. */
export interface Connection {
  origin: string
  send: (method: string, path: string, headers?: Record<string, string>, body?: unknown) => Promise<Answer>
  close: () => void
}

/** The same Host for every server, as behind a proxy, so that links and ETags are the same. */
const host = 'obra.test'
const patience = 20_000

/** Opens a connection. It only supports answers with a Content-Length, and costs less CPU than the server. */
async function connected (origin: string): Promise<Connection> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname).setNoDelay()
  await once(socket, 'connect')
  let received: Buffer = Buffer.alloc(0)
  let waiting: PromiseWithResolvers<Answer> | undefined

  socket.setTimeout(patience, () => socket.destroy(new Error(`no answer within ${patience / 1000} s`)))
  socket.on('error', error => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the connection was closed')))
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const end = received.indexOf('\r\n\r\n')
    if (end === -1) return
    const head = received.toString('latin1', 0, end)
    const status = Number(head.slice(9, 12))
    const length = status === 204 || status === 304 ? 0 : Number(field(head, 'content-length'))
    if (Number.isNaN(length)) {
      socket.destroy(new Error(`an answer without a length: ${head}`))
      return
    }
    if (received.length < end + 4 + length) return
    const body = received.toString('utf8', end + 4, end + 4 + length)
    received = received.subarray(end + 4 + length)
    const { resolve } = waiting as PromiseWithResolvers<Answer>
    waiting = undefined
    resolve({ status, etag: field(head, 'etag'), body, replayed: field(head, 'idempotency-replayed') === 'true', process: field(head, 'x-request-id')?.slice(0, 8) ?? '' })
  })

  return {
    origin,
    async send (method, path, headers = {}, body) {
      const content = body === undefined ? '' : JSON.stringify(body)
      const sent = body === undefined ? headers : { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }
      waiting = Promise.withResolvers()
      socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${content}`)
      return await waiting.promise
    },
    close: () => socket.destroy()
  }
}

/** Connects on the first request, because the server answers 408 to a connection without a request for 15 s. */
export async function open (origin: string): Promise<Connection> {
  let connection: Connection | undefined
  return {
    origin,
    async send (...request) {
      connection ??= await connected(origin)
      return await connection.send(...request)
    },
    close: () => connection?.close()
  }
}

function field (head: string, name: string): string | undefined {
  const start = head.toLowerCase().indexOf(`\r\n${name}: `)
  if (start === -1) return undefined
  const end = head.indexOf('\r\n', start + 2)
  return head.slice(start + name.length + 4, end === -1 ? undefined : end)
}
