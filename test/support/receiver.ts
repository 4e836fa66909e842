import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A server on 127.0.0.1 in the place of a webhook receiver. */
export interface Receiver {
  port: number
  /** Connections so far. */
  connections: Socket[]
}

/** Self-signed, for `receiver.example`, `localhost` and 127.0.0.1, until 2124. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBaDCCAQ6gAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBByZWNlaXZl
ci5leGFtcGxlMCAXDTI0MDEwMTAwMDAwMFoYDzIxMjQwMTAxMDAwMDAwWjAbMRkw
FwYDVQQDDBByZWNlaXZlci5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEFtHDPFwfDjhjLLjvI52nfIcAJCagQlDY7dAiW+htBKLIFWJsDOi67y61HUCL
p8jD7+l6ksp87xAPYyidKP3xIqNBMD8wLAYDVR0RBCUwI4IQcmVjZWl2ZXIuZXhh
bXBsZYIJbG9jYWxob3N0hwR/AAABMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0E
AwIDSAAwRQIgCO8DQsLyJwjWvxbpRto+NZ9nX00pK2sTVMFZUdHIRLECIQClM6p/
fDGenBRlb9zr8+c51v/tsjc+1Zu8k5F1IXaUGw==
-----END CERTIFICATE-----
`

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgWCLwloEl/q6C8SvL
ZPYSFEokKVqLrgGZ2fPHDbHmBqKhRANCAAQW0cM8XB8OOGMsuO8jnad8hwAkJqBC
UNjt0CJb6G0EosgVYmwM6LrvLrUdQIunyMPv6XqSynzvEA9jKJ0o/fEi
-----END PRIVATE KEY-----
`

/** Starts an HTTP receiver. */
export async function httpReceiver (t: Test, answer: RequestListener): Promise<Receiver> {
  return await listening(t, createHttpServer(answer))
}

/** Starts an HTTPS receiver with {@link certificate}. */
export async function httpsReceiver (t: Test, answer: RequestListener): Promise<Receiver> {
  return await listening(t, createHttpsServer({ cert: certificate, key }, answer))
}

/** Starts a receiver that is not a proper HTTP server. */
export async function rawReceiver (t: Test, accept: (socket: Socket, connections: Socket[]) => void): Promise<Receiver> {
  const receiver = await listening(t, createServer(socket => accept(socket, receiver.connections)))
  return receiver
}

async function listening (t: Test, server: Server): Promise<Receiver> {
  const connections: Socket[] = []
  server.prependListener('connection', (socket: Socket) => {
    connections.push(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of connections) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, connections }
}
