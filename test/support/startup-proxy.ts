import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A proxy between a service and PostgreSQL, like a connection pooler. */
export interface StartupProxy {
  /** URL of the database through the proxy. */
  url: string
  /** Changes the startup parameter `options` of new connections; undefined omits it. */
  rewrite: (options: string) => string | undefined
  /** Whether new connections get no answer after their startup. */
  silent: boolean
  /** Number of connections so far. */
  connections: number
  /** Ends all connections, as a failover does. */
  cut: () => void
}

const protocol3 = 196_608
const readyForQuery = Buffer.from('Z\0\0\0\x05I')

/** Starts a proxy in front of PostgreSQL; it closes with the test. @param target URL of the database itself */
export async function startupProxy (t: Test, target: string): Promise<StartupProxy> {
  const url = new URL(target)
  const { hostname, port } = url
  const sockets = new Set<Socket>()
  const listener = createServer(client => {
    proxy.connections++
    const { silent } = proxy
    const server = connect(Number(port || 5432), hostname)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => {
        client.destroy()
        server.destroy()
        sockets.delete(socket)
      })
    }
    client.once('data', first => {
      server.write(rewritten(first as Buffer, options => proxy.rewrite(options)))
      client.pipe(server)
    })
    server.on('data', answer => {
      client.write(answer)
      if (silent && (answer as Buffer).subarray(-readyForQuery.length).equals(readyForQuery)) client.unpipe(server).resume()
    })
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  url.hostname = '127.0.0.1'
  url.port = String((listener.address() as AddressInfo).port)
  const proxy: StartupProxy = {
    url: url.href,
    rewrite: options => options,
    silent: false,
    connections: 0,
    cut: () => { for (const socket of sockets) socket.destroy() }
  }
  t.teardown(() => {
    proxy.cut()
    listener.close()
  })
  return proxy
}

/**
 * Changes `options` in a startup message: length, protocol, names and values that end with NUL, a NUL.
 * @throws {Error} for any other message
 */
function rewritten (message: Buffer, rewrite: StartupProxy['rewrite']): Buffer {
  if (message.readInt32BE(0) !== message.length || message.readInt32BE(4) !== protocol3) throw new Error('not a startup message of protocol 3')
  const parts = message.subarray(8).toString().split('\0').slice(0, -2)
  const kept: string[] = []
  for (let at = 0; at < parts.length; at += 2) {
    const [name, value] = [parts[at] as string, parts[at + 1] as string]
    const changed = name === 'options' ? rewrite(value) : value
    if (changed !== undefined) kept.push(name, changed)
  }
  const body = Buffer.from(`${kept.map(part => `${part}\0`).join('')}\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(body.length + 8, 0)
  head.writeInt32BE(protocol3, 4)
  return Buffer.concat([head, body])
}
