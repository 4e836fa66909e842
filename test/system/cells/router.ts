import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as ask, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { normalizeEmail } from '../../../src/resources/validation/email.ts'
import { limits } from '../../../src/config/limits.ts'

/** A cell: one installation of Obra with a database of its own. */
export interface Cell {
  /** Its CELL, the `kid` of its tokens. */
  name: string
  /** Scheme, host and port. */
  origin: string
}

/** A running router. */
export interface Router {
  origin: string
  /** Number of requests that it has sent to each cell. */
  sent: Map<string, number>
  /** Requests in progress. */
  open: () => number
  close: () => void
}

const logIn = /^\/api\/v1\/api-token-auth\/?(\?|$)/

const hopByHop = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']

/**
 * Starts a proxy that sends each request to the cell of its customer: log-ins by email, others by the `kid` of the token. It verifies nothing.
 * A cell refuses the tokens of another one, so a wrong route is a 401.
 * @param directory the cell's name by normalized email
 */
export async function startRouter (cells: readonly [Cell, ...Cell[]], directory: ReadonlyMap<string, string>): Promise<Router> {
  const sent = new Map<string, number>()
  let open = 0
  const named = (name: string | undefined) => cells.find(cell => cell.name === name)
  const ofToken = (token = '') => named(keyId(token)) ?? cells[0]

  /** Unknown emails are divided among the cells, so that neither the answer nor an outage shows whether the directory has an email. */
  function ofEmail (email: unknown): Cell {
    const normalized = normalizeEmail(String(email)) ?? ''
    const number = Number.parseInt(hash('sha256', normalized).slice(0, 8), 16)
    return named(directory.get(normalized)) ?? cells[number % cells.length]
  }

  async function route (request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/', method, headers } = request
    if (method !== 'POST' || !logIn.test(url)) return forward(ofToken(/^bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1]), request, response)
    const body = await beginning(request)
    forward(ofEmail(parsed(body)['email']), request, response, body)
  }

  /** @param body what was read of the request's body */
  function forward (cell: Cell, request: IncomingMessage, response: ServerResponse, body?: Buffer): void {
    sent.set(cell.name, (sent.get(cell.name) ?? 0) + 1)
    open++
    const { method, url, headers, socket } = request
    const forwarded = { 'x-forwarded-for': socket.remoteAddress, 'x-forwarded-host': headers.host, 'x-forwarded-proto': 'http' }
    const outgoing = ask(cell.origin + url, { method, headers: { ...endToEnd(headers), ...forwarded } })
    outgoing.on('close', () => { open-- })
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode as number, endToEnd(answer.headers))
      response.flushHeaders()
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    outgoing.on('error', () => {
      if (response.headersSent) response.destroy()
      else response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' }).end('{"detail":"The service is unavailable.","code":"unavailable"}')
    })
    response.on('close', () => { if (!response.writableFinished) outgoing.destroy() })
    if (body !== undefined) outgoing.write(body)
    request.pipe(outgoing)
  }

  const server = createServer((request, response) => {
    route(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    open: () => open,
    close () {
      server.close()
      server.closeAllConnections()
    }
  }
}

/** The `kid` of a token, without verifying it. */
function keyId (token: string): string | undefined {
  const header = parsed(Buffer.from(token.split('.', 1)[0], 'base64url'))
  return typeof header['kid'] === 'string' ? header['kid'] : undefined
}

function parsed (bytes: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(String(bytes)))
  } catch {
    return {}
  }
}

/** The body, or what was read of one that the cell will refuse as too large. */
async function beginning (request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk)
    length += chunk.length
    if (length > limits.bodies.token) break
  }
  return Buffer.concat(chunks)
}

function endToEnd (headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.includes(name)))
}
