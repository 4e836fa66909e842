import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Counts of the connections held open on a server. */
export interface Siege {
  /** Opened connections, and idle connections that were answered 200. */
  held: number
  /** Connections that the server closed. */
  closed: number
  /** Status lines with which the server closed them. */
  answers: Set<string>
}

const atOnce = 200

/**
 * Holds connections open on a server during `work`.
 * @param idle number of connections that are idle after one answer
 * @param slow number of connections that send one header line a second and never finish their request
 */
export async function holdConnections (origin: string, { idle, slow }: { idle: number, slow: number }, work: (siege: Siege) => Promise<void>): Promise<Siege> {
  const siege: Siege = { held: 0, closed: 0, answers: new Set() }
  const sockets: Socket[] = []
  const { hostname, port } = new URL(origin)
  const hold = async (first: string) => {
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    socket.on('error', () => {}) // a close follows
    socket.on('close', () => { siege.closed++ })
    await once(socket, 'connect')
    socket.write(first)
    return socket
  }
  const slowly: Socket[] = []
  const drip = setInterval(() => {
    for (const socket of slowly) if (socket.writable) socket.write('X-More: x\r\n')
  }, 1000)
  try {
    const all = [
      ...Array.from({ length: idle }, () => async () => {
        const socket = await hold('GET /health/live/ HTTP/1.1\r\nHost: obra\r\n\r\n')
        if ((await firstOf(socket)).startsWith('HTTP/1.1 200 ')) siege.held++
      }),
      ...Array.from({ length: slow }, () => async () => {
        const socket = await hold('GET /health/live/ HTTP/1.1\r\nHost: obra\r\n')
        socket.on('data', (bytes: Buffer) => { siege.answers.add(String(bytes).split('\r\n', 1)[0]) })
        slowly.push(socket)
        siege.held++
      })
    ]
    while (all.length > 0) await Promise.all(all.splice(0, atOnce).map(async open => await open()))
    await work(siege)
    return { ...siege }
  } finally {
    clearInterval(drip)
    for (const socket of sockets) socket.destroy()
  }
}

/** The first chunk received over a connection; empty if it closes before. */
async function firstOf (socket: Socket): Promise<string> {
  return await new Promise((resolve) => {
    socket.once('data', (bytes: Buffer) => resolve(String(bytes)))
    socket.once('close', () => resolve(''))
  })
}
