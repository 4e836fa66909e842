import { AsyncLocalStorage } from 'node:async_hooks'
import { Duplex } from 'node:stream'
import type { PGlite } from '@electric-sql/pglite'

const [sync, simpleQuery, terminate, readyForQuery, idle] = [...Buffer.from('SQXZI')]
/** Bytes of a ReadyForQuery message: type, length and transaction status. */
const readyLength = 6

/** SQLSTATE of a refused connection. */
const tooManyConnections = '53300'
const exitMessage = 'connection terminated: the embedded database has exited'

/** Runs a function outside of the async context of a request. */
const outsideRequests = AsyncLocalStorage.snapshot()

/** The socket that has the one session of a database. */
const connected = new WeakMap<PGlite, EmbeddedSocket>()

/**
 * A socket that connects the PostgreSQL driver to the embedded database in this process, so that one driver serves both databases.
 * The database has one session. A new socket replaces an idle one. It is refused while the other has a statement or transaction in
 * progress.
 */
export class EmbeddedSocket extends Duplex {
  readonly #pglite: PGlite
  #state: 'idle' | 'busy' | 'exited' = 'idle'

  constructor (pglite: PGlite) {
    super()
    this.#pglite = pglite
  }

  connect (): void {
    // Later, because a socket that is ending may not have sent its last message.
    setImmediate(() => {
      if (this.destroyed) return
      const other = connected.get(this.#pglite)
      const refusal = other === undefined ? undefined : other.#refusal()
      if (refusal !== undefined) {
        this.destroy(refusal)
        return
      }
      other?.destroy()
      connected.set(this.#pglite, this)
      this.emit('connect')
    })
  }

  /** The error for another socket that wants the session. */
  #refusal (): Error | undefined {
    if (this.#state === 'exited') return new Error(exitMessage)
    if (this.#state === 'idle' || this.destroyed) return undefined
    return Object.assign(new Error('the embedded database has one session, which is in use'), { code: tooManyConnections })
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
      if (group[0] === terminate) {
        this.#state = 'idle'
        return
      }
      this.#state = 'busy'
      const answer = withOneReady(await this.#run(group))
      if (answer.at(-1) === idle) this.#state = 'idle'
      this.push(answer)
    }
  }

  async #run (group: Buffer): Promise<Buffer> {
    const parts: Buffer[] = []
    try {
      // `execProtocolRaw` would parse each answer as well and keep every message. PGlite reuses the buffer, so each part is copied.
      await this.#pglite.execProtocolRawStream(group, { onRawData: part => { parts.push(Buffer.from(part)) } })
    } catch (cause) {
      this.#state = 'exited'
      const error = new Error(exitMessage, { cause })
      // SQL errors are answers, so the database has exited, for example after a PANIC. Only a new process can recover its data.
      // This concerns the process, not the request that has caused it.
      if (!this.#pglite.closed) outsideRequests(() => setImmediate(() => { throw error }))
      throw error
    }
    return Buffer.concat(parts)
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

/**
 * Removes the second ReadyForQuery that PGlite sends after an error. The byte before it is then a transaction status, which is never zero.
 * Error and completion messages end with zero.
 */
function withOneReady (bytes: Buffer): Buffer {
  const isTwice = bytes.at(-readyLength) === readyForQuery &&
    bytes.at(-2 * readyLength) === readyForQuery &&
    bytes.at(-readyLength - 1) !== 0
  return isTwice ? bytes.subarray(0, -readyLength) : bytes
}
