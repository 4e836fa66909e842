import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { listened } from '../../files/streams.ts'
import { hostOf } from '../../domain/webhooks/target.ts'

/**
 * Connects to a receiver through an egress proxy: CONNECT (RFC 9110, section 9.3.6), then TLS with the receiver. Node's own `proxyEnv`
 * cannot end a tunnel while the proxy or the receiver's TLS does not answer, so every such attempt would leave a socket behind.
 * @param proxy `http://user:password@host:port`
 * @param ca certificate authorities in PEM. Default: Node's
 * @param signal ends the wait for the proxy. The caller destroys the returned socket
 * @returns a socket that may still be in its TLS handshake
 * @throws {Error} with the code PROXY_FAILED or PROXY_REFUSED
 */
export async function openTunnel (proxy: URL, url: URL, signal: AbortSignal, ca?: string): Promise<TLSSocket> {
  const authority = `${url.hostname}:${url.port || 443}`
  const asked = request({
    host: hostOf(proxy),
    port: proxy.port || 80,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...credentials(proxy) },
    agent: false,
    signal
  })
  asked.on('error', () => {}).end()
  const [{ statusCode = 0 }, socket] = await once(asked, 'connect', { signal }).catch((error: Error) => {
    throw Object.assign(new Error('the proxy did not answer', { cause: error }), { code: 'PROXY_FAILED' })
  }) as [IncomingMessage, Socket] // the values of `connect`
  listened(socket)
  if (statusCode >= 200 && statusCode < 300) return secure(socket, hostOf(url), ca)
  socket.destroy()
  throw Object.assign(new Error(`the proxy answered ${statusCode}`), { code: 'PROXY_REFUSED' })
}

function credentials ({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  return { 'proxy-authorization': `Basic ${Buffer.from(decodeURIComponent(`${username}:${password}`)).toString('base64')}` }
}

function secure (socket: Socket, host: string, ca?: string): TLSSocket {
  const options = { socket, host, servername: isIP(host) === 0 ? host : '', ca, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] }
  // The request listens to it only when it has the socket.
  return listened(connect(options))
}
