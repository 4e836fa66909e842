import { createContext, runInContext } from 'node:vm'
import type { Context } from 'node:vm'

/**
 * A JavaScript engine with the globals that React Native 0.86 has, on top of those of ECMAScript: `URL` is incomplete, and `crypto` is
 * missing, and a `Blob` cannot be made of bytes or read. A script must set `AbortController`, and `fetch` from whatwg-fetch, as React Native does.
 */
export function reactNative (): Context {
  const context = createContext({
    Blob: NativeBlob,
    FormData,
    FileReader,
    XMLHttpRequest,
    URL: IncompleteUrl,
    console,
    queueMicrotask,
    setTimeout: (work: () => void, time: number) => Number(setTimeout(work, time).unref()),
    clearTimeout: (timer: number) => clearTimeout(timer)
  })
  // Globals of V8 that Hermes does not have.
  for (const name of ['SharedArrayBuffer', 'Atomics', 'WebAssembly']) runInContext(`delete globalThis.${name}`, context)
  return context
}

/** React Native keeps the bytes in native code. */
class NativeBlob {
  readonly #text: string

  constructor (parts: unknown[] = []) {
    if (parts.some(part => typeof part !== 'string')) throw new Error("Creating blobs from 'ArrayBuffer' and 'ArrayBufferView' are not supported")
    this.#text = parts.join('')
  }

  static textOf (blob: NativeBlob): string {
    return blob.#text
  }
}

/** React Native before 0.80 throws for the parts of a URL. */
class IncompleteUrl {
  get pathname () {
    throw new Error('URL.pathname is not implemented')
  }
}

/** Sends requests as React Native's native code: redirects are followed, and the answer is complete. */
class XMLHttpRequest {
  status = 0
  statusText = ''
  response: NativeBlob | undefined
  responseURL = ''
  readyState = 0
  onload = () => {}
  onerror = () => {}
  onabort = () => {}
  onreadystatechange = () => {}
  #method = ''
  #url = ''
  #headers = new Headers()
  #answered = new Headers()
  #controller = new AbortController()

  open (method: string, url: string): void {
    this.#method = method
    this.#url = url
  }

  setRequestHeader (name: string, value: string): void {
    this.#headers.append(name, value)
  }

  getAllResponseHeaders (): string {
    return Array.from(this.#answered, ([name, value]) => `${name}: ${value}\r\n`).join('')
  }

  abort (): void {
    this.#controller.abort()
  }

  send (body: string | Uint8Array<ArrayBuffer> | null): void {
    fetch(this.#url, { method: this.#method, headers: this.#headers, body, signal: this.#controller.signal }).then(async (answer) => {
      this.response = new NativeBlob([await answer.text()])
      this.status = answer.status
      this.statusText = answer.statusText
      this.responseURL = answer.url
      this.#answered = answer.headers
      this.#end(() => this.onload())
    }).catch(() => this.#end(() => this.#controller.signal.aborted ? this.onabort() : this.onerror()))
  }

  #end (report: () => void): void {
    this.readyState = 4
    this.onreadystatechange()
    report()
  }
}

class FileReader {
  result = ''
  onload = () => {}

  readAsText (blob: NativeBlob): void {
    this.result = NativeBlob.textOf(blob)
    queueMicrotask(() => this.onload())
  }
}
