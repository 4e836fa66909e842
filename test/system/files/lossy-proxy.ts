import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pick, type Random } from '../../support/trial/random.ts'

/** Faults of the network, with their share of connections. */
const faults = { 'cut requests': 0.15, 'lost answers': 0.12, 'slow connections': 0.1 }

type Fault = keyof typeof faults

/** The most bytes of a request that pass before it is cut. */
const maxBeforeCut = 400_000

/** A TCP proxy of servers that cuts requests anywhere in their bytes, loses answers, and is slow. */
export class LossyProxy implements AsyncDisposable {
  hasFaults = true
  readonly counts: Record<Fault | 'connections', number> = { 'cut requests': 0, 'lost answers': 0, 'slow connections': 0, connections: 0 }
  readonly #origins: () => string[]
  readonly #random: Random
  readonly #listener: Server
  readonly #sockets = new Set<Socket>()

  private constructor (origins: () => string[], random: Random) {
    this.#origins = origins
    this.#random = random
    this.#listener = createServer(socket => this.#carry(socket))
  }

  /** @param origins of the servers; each connection leads to one of them */
  static async open (origins: () => string[], random: Random): Promise<LossyProxy> {
    const proxy = new LossyProxy(origins, random)
    await once(proxy.#listener.listen(0, '127.0.0.1'), 'listening')
    return proxy
  }

  get port (): number {
    return (this.#listener.address() as AddressInfo).port
  }

  #carry (socket: Socket): void {
    const { port, hostname } = new URL(pick(this.#origins(), this.#random))
    const onward = connect(Number(port), hostname)
    for (const [one, other] of [[socket, onward], [onward, socket]] as const) {
      this.#sockets.add(one)
      one.on('error', () => {}).on('end', () => other.end()).on('close', () => {
        this.#sockets.delete(one)
        other.destroy()
      })
    }
    const fault = this.hasFaults ? faultFor(this.#random()) : undefined
    this.counts.connections++
    if (fault !== undefined) this.counts[fault]++
    // Most requests are short, so that most cuts are near the beginning.
    let left = fault === 'cut requests' ? Math.floor(maxBeforeCut * this.#random() ** 3) : Infinity
    const isSlow = fault === 'slow connections'
    socket.on('data', (chunk: Buffer) => {
      onward.write(chunk.subarray(0, left))
      left -= chunk.length
      if (left < 0) onward.end(() => onward.destroy())
      if (isSlow) pause(socket, 15).catch(() => {})
    })
    onward.on('data', (chunk: Buffer) => {
      if (fault === 'lost answers') onward.destroy()
      else socket.write(chunk)
    })
  }

  async [Symbol.asyncDispose] (): Promise<void> {
    const closed = once(this.#listener, 'close')
    this.#listener.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}

async function pause (socket: Socket, milliseconds: number): Promise<void> {
  socket.pause()
  await sleep(milliseconds)
  socket.resume()
}

/** @param at from 0 to 1 */
function faultFor (at: number): Fault | undefined {
  let end = 0
  return (Object.keys(faults) as Fault[]).find((name) => { end += faults[name]; return at < end })
}
