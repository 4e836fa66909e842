import { Duplex } from 'node:stream'
import type { PGlite } from '@electric-sql/pglite'

const [sync, simpleQuery, readyForQuery] = [...Buffer.from('SQZ')]
/** Bytes of a ReadyForQuery message: type, length and transaction status. */
const readyLength = 6

/**
 * A socket that connects the PostgreSQL driver to the embedded database in this process, so that one driver serves both databases.
 * The database has one session, so open one socket at a time.
 */
export class EmbeddedSocket extends Duplex {
  readonly #pglite: PGlite

  constructor (pglite: PGlite) {
    super()
    this.#pglite = pglite
  }

  connect (): void {
    queueMicrotask(() => this.emit('connect'))
  }

  // The driver calls these on network sockets.
  setNoDelay (): void {}
  setKeepAlive (): void {}
  ref (): void {}
  unref (): void {}

  override _read (): void {}

  override _write (chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#forward(chunk).then(() => done(), done)
  }

  override _writev (chunks: Array<{ chunk: Buffer }>, done: (error?: Error) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), '', done)
  }

  override _final (done: () => void): void {
    this.push(null)
    done()
  }

  async #forward (messages: Buffer): Promise<void> {
    for (const group of groups(messages)) {
      if (this.destroyed) return
      const parts: Buffer[] = []
      // `execProtocolRaw` would parse each answer as well and keep every message. PGlite reuses the buffer, so each part is copied.
      await this.#pglite.execProtocolRawStream(group, { onRawData: part => { parts.push(Buffer.from(part)) } })
      this.push(withOneReady(Buffer.concat(parts)))
    }
  }
}

/** Splits pipelined messages into groups with one ReadyForQuery each, because PGlite answers several incorrectly after an error. */
function * groups (messages: Buffer): Generator<Buffer> {
  const isStartup = messages[0] === 0
  let [from, at] = [0, isStartup ? messages.length : 0]
  while (at < messages.length) {
    const type = messages[at]
    at += 1 + messages.readInt32BE(at + 1)
    if (type !== sync && type !== simpleQuery) continue
    yield messages.subarray(from, at)
    from = at
  }
  if (from < messages.length) yield messages.subarray(from)
}

/** Removes the second ReadyForQuery that PGlite sends after an error. The message before it always ends with a zero byte, so it looks different. */
function withOneReady (bytes: Buffer): Buffer {
  const isTwice = bytes.at(-readyLength) === readyForQuery && bytes.at(-2 * readyLength) === readyForQuery && bytes.at(-readyLength - 1) !== 0
  return isTwice ? bytes.subarray(0, -readyLength) : bytes
}
