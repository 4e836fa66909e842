import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'
import { freePort } from '../../src/trial/server.ts'

/** A way to a server that a test can disturb. It ends with the test. */
export interface Tunnel {
  /** The URL of the server by this way. */
  url: string
  /** Breaks all connections and refuses new ones. */
  cut: () => Promise<void>
  mend: () => Promise<void>
  /** Keeps the connections open, but passes no data any more, like a host without a network. New connections work. */
  freeze: () => void
}

/** Opens a tunnel to the server of a URL, by default at the port of PostgreSQL. */
export async function tunnel (t: Test, target: string): Promise<Tunnel> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const listener = createServer((socket) => {
    const onward = connect(Number(port || 5432), hostname)
    for (const [one, other] of [[socket, onward], [onward, socket]] as const) {
      sockets.add(one)
      one.on('error', () => {}).on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  const own = await freePort()
  const mend = async () => { await once(listener.listen(own, '127.0.0.1'), 'listening') }
  const cut = async () => {
    const closed = new Promise(resolve => listener.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  await mend()
  t.teardown(cut)
  const url = Object.assign(new URL(target), { host: `127.0.0.1:${own}` }).href
  return { url, cut, mend, freeze: () => { for (const socket of sockets) socket.pause() } }
}
