import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'
import { freePort } from './trial/server.ts'

/** A TCP proxy of a server that a test can disturb. It ends with the test. */
export interface Tunnel {
  /** The URL of the server by this way. */
  url: string
  /** Breaks all connections and refuses new ones. */
  cut: () => Promise<void>
  mend: () => Promise<void>
  /** Keeps the connections open, but passes no data any more, like a host without a network. New connections work. */
  freeze: () => void
  /** Bytes that clients have sent. */
  sent: () => number
  /** Freezes the connection on which a client sends this many bytes more. */
  holdAfter: (bytes: number) => void
  isHolding: () => boolean
}

/** Opens a tunnel to the server of a URL, by default at the port of PostgreSQL. */
export async function tunnel (t: Test, target: string): Promise<Tunnel> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let [sent, limit, isHolding] = [0, Infinity, false]
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
    socket.on('data', (chunk) => {
      sent += chunk.length
      if (sent < limit) return
      limit = Infinity
      socket.unpipe(onward).pause()
      isHolding = true
    })
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
  return {
    url,
    cut,
    mend,
    freeze: () => { for (const socket of sockets) socket.pause() },
    sent: () => sent,
    holdAfter: (bytes) => {
      limit = sent + bytes
      isHolding = false
    },
    isHolding: () => isHolding
  }
}
