import { createParser } from 'eventsource-parser'
import { either } from '../aborts.js'
import { unwrap } from '../errors.js'

/** @import { ObraClient } from '../index.d.ts' */
/** @import { StoreParts } from './parts.d.ts' */

/** Time in ms between two synchronizations without an event. */
const interval = 5 * 60_000
/** First and longest wait in ms after a failure. */
const backoff = { first: 1_000, longest: 60_000 }
/** Wait in ms after an edit, so that edits that follow each other share a request. */
const afterEdit = 100
/** Time in ms after which a stream without an event or comment is lost. The server sends a comment every 15 s. */
const longestSilence = 45_000

/**
 * Keeps a store synchronized until the signal aborts.
 * @param {StoreParts} store
 * @param {ObraClient} client
 * @param {AbortSignal} signal
 */
export async function live (store, client, signal) {
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

/**
 * Sends the files, beside the edits: a large file does not delay them.
 * @param {StoreParts} store
 * @param {ObraClient} client
 * @param {AbortSignal} signal
 */
async function keepSendingFiles (store, client, signal) {
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

/**
 * Rings when the company has a newer revision than the store.
 * @param {StoreParts} store
 * @param {ObraClient} client
 * @param {Alarm} alarm
 * @param {AbortSignal} signal
 */
async function follow (store, client, alarm, signal) {
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

/**
 * Reads the stream of revisions to its end.
 * @param {ObraClient} client
 * @param {AbortSignal} signal
 * @param {(revision: number) => void} onRevision
 */
async function readStream (client, signal, onRevision) {
  const over = new AbortController()
  const end = client.watchUser(() => over.abort())
  let timer = setTimeout(() => over.abort(), longestSilence)
  const ended = either(signal, over.signal)
  try {
    const options = { parseAs: /** @type {const} */ ('stream'), signal: ended.signal }
    /** @type {unknown} */
    const body = await unwrap(client.GET('/api/v1/changes/events/', options))
    const stream = /** @type {ReadableStream<Uint8Array>} */ (body)
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

  /** @param {AbortSignal} signal ends every wait */
  constructor (signal) {
    signal.addEventListener('abort', () => this.ring(), { once: true })
  }

  /** @param {number} [delay] in ms */
  ring (delay = 0) {
    if (delay > 0) {
      setTimeout(() => this.ring(), delay)
      return
    }
    this.#rings = true
    this.#wake()
  }

  /** @param {number} longest in ms */
  async wait (longest) {
    if (!this.#rings) {
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      let timer
      await /** @type {Promise<void>} */ (new Promise((resolve) => {
        this.#wake = resolve
        timer = setTimeout(resolve, longest)
      }))
      clearTimeout(timer)
    }
    this.#rings = false
  }
}

/** Calls back when the connection is back, or the page is shown again. @param {() => void} callback @returns {() => void} ends it */
function onReturn (callback) {
  const target = /** @type {Partial<EventTarget>} */ (globalThis)
  const shown = () => { if (/** @type {any} */ (globalThis).document.visibilityState === 'visible') callback() }
  const page = /** @type {EventTarget | undefined} */ (/** @type {any} */ (globalThis).document)
  target.addEventListener?.('online', callback)
  page?.addEventListener('visibilitychange', shown)
  return () => {
    target.removeEventListener?.('online', callback)
    page?.removeEventListener('visibilitychange', shown)
  }
}

/** @param {number} failures from 1 */
function waitAfter (failures) {
  return jittered(Math.min(backoff.first * 2 ** (failures - 1), backoff.longest))
}

/** Half of a time up to the time, so that devices do not return together. @param {number} time */
function jittered (time) {
  return time * (0.5 + Math.random() / 2)
}
