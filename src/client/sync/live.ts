import { createParser } from 'eventsource-parser'
import { either } from '../aborts.ts'
import { unwrap } from '../errors.ts'
import type { ObraClient } from '../types.ts'
import type { StoreParts } from './parts.ts'

/** Time in ms between two synchronizations without an event. */
const interval = 5 * 60_000
/** First and longest wait in ms after a failure. */
const backoff = { first: 1_000, longest: 60_000 }
/** Wait in ms after an edit, so that edits that follow each other share a request. */
const afterEdit = 100
/** Time in ms after which a stream without an event or comment is lost. The server sends a comment every 15 s. */
const longestSilence = 45_000

/** Keeps a store synchronized until the signal aborts. */
export async function live (store: StoreParts, client: ObraClient, signal: AbortSignal) {
  const alarm = new Alarm(signal)
  const ends = [
    store.onStatus(({ pending }) => { if (pending > 0 && store.status.error === undefined) alarm.ring(afterEdit) }),
    client.watchUser(() => alarm.ring()),
    onReturn(() => alarm.ring())
  ]
  const others = [follow(store, client, alarm, signal), keepSendingFiles(store, client, signal)]
  try {
    for (let failures = 0; !signal.aborted;) {
      failures = await store.syncRecords({ signal }).then(() => 0, () => failures + 1)
      // Edits made meanwhile. Not at once: the server may never take them.
      if (failures === 0 && store.status.pending > 0) alarm.ring(backoff.first)
      await alarm.wait(failures === 0 ? jittered(interval) : waitAfter(failures))
    }
  } finally {
    for (const end of ends) end()
    await Promise.all(others)
  }
}

/** Sends the files, beside the edits: a large file does not delay them. */
async function keepSendingFiles (store: StoreParts, client: ObraClient, signal: AbortSignal) {
  const alarm = new Alarm(signal)
  let [failures, lastSync] = [0, store.status.lastSync]
  const ends = [
    store.files.onProgress(() => { if (failures === 0 && store.files.isSendable) alarm.ring() }),
    store.onStatus((status) => {
      // The server can be reached again.
      if (status.lastSync !== lastSync) alarm.ring()
      lastSync = status.lastSync
    }),
    client.watchUser(() => alarm.ring()),
    onReturn(() => alarm.ring())
  ]
  while (!signal.aborted) {
    failures = await store.sendFiles({ signal }).then(() => 0, () => failures + 1)
    await alarm.wait(failures === 0 ? jittered(interval) : waitAfter(failures))
  }
  for (const end of ends) end()
}

/** Rings when the company has a newer revision than the store. */
async function follow (store: StoreParts, client: ObraClient, alarm: Alarm, signal: AbortSignal) {
  // React Native's `fetch` returns an answer at its end, and a stream has none.
  if (typeof ReadableStream === 'undefined') return
  const pause = new Alarm(signal)
  const ends = [onReturn(() => pause.ring()), client.watchUser(() => pause.ring())]
  for (let failures = 0; !signal.aborted;) {
    try {
      await readStream(client, signal, (revision) => {
        failures = 0
        if (revision !== store.status.revision) alarm.ring()
      })
    } catch {
      failures += 1
    }
    // The server ends a stream when the session or company has changed.
    await pause.wait(waitAfter(Math.max(failures, 1)))
  }
  for (const end of ends) end()
}

/** Reads the stream of revisions to its end. */
async function readStream (client: ObraClient, signal: AbortSignal, onRevision: (revision: number) => void) {
  const over = new AbortController()
  const end = client.watchUser(() => over.abort())
  let timer = setTimeout(() => over.abort(), longestSilence)
  const ended = either(signal, over.signal)
  try {
    const options = { parseAs: 'stream' as const, signal: ended.signal }
    const body: unknown = await unwrap(client.GET('/api/v1/changes/events/', options))
    const stream = body as ReadableStream<Uint8Array> // `parseAs: 'stream'` answers with the stream
    const parser = createParser({ onEvent: ({ event, data }) => { if (event === 'revision') onRevision(JSON.parse(data).revision) } })
    const decoder = new TextDecoder()
    const reader = stream.getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(timer)
      timer = setTimeout(() => over.abort(), longestSilence)
      parser.feed(decoder.decode(part.value, { stream: true }))
    }
  } finally {
    over.abort()
    ended.release()
    clearTimeout(timer)
    end()
  }
}

/** A wait that can be ended early. A ring while no one waits ends the next wait. */
class Alarm {
  #rings = false
  #wake = () => {}

  /** @param signal ends every wait */
  constructor (signal: AbortSignal) {
    signal.addEventListener('abort', () => this.ring(), { once: true })
  }

  /** @param delay in ms */
  ring (delay: number = 0) {
    if (delay > 0) {
      setTimeout(() => this.ring(), delay)
      return
    }
    this.#rings = true
    this.#wake()
  }

  /** @param longest in ms */
  async wait (longest: number) {
    if (!this.#rings) {
      let timer: ReturnType<typeof setTimeout> | undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        timer = setTimeout(resolve, longest)
      })
      clearTimeout(timer)
    }
    this.#rings = false
  }
}

/** Calls back when the connection is back, or the page is shown again. @returns ends it */
function onReturn (callback: () => void): () => void {
  const target = globalThis as Partial<EventTarget> & { document?: EventTarget & { visibilityState: string } } // only in browsers
  const { document: page } = target
  const shown = () => { if (page?.visibilityState === 'visible') callback() }
  target.addEventListener?.('online', callback)
  page?.addEventListener('visibilitychange', shown)
  return () => {
    target.removeEventListener?.('online', callback)
    page?.removeEventListener('visibilitychange', shown)
  }
}

/** @param failures from 1 */
function waitAfter (failures: number) {
  return jittered(Math.min(backoff.first * 2 ** (failures - 1), backoff.longest))
}

/** Half of a time up to the time, so that devices do not return together. */
function jittered (time: number) {
  return time * (0.5 + Math.random() / 2)
}
