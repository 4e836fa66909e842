import { parentPort, workerData } from 'node:worker_threads'

/** A request; `path` is relative to the server's address. */
export interface Input {
  method: string
  path: string
  body?: string
}

/** A message to the worker: prepare a request, or send it. */
export type Command = { prepare: Input } | 'send'

// A separate thread: sending a large body from the server's thread would block it.
const { url, token } = workerData as { url: string, token: string }
let request: () => Promise<number> = async () => 0

parentPort?.on('message', async (order: Command) => {
  if (order === 'send') return parentPort?.postMessage(await request())
  const { method, path, body } = order.prepare
  const bytes = body === undefined ? undefined : Buffer.from(body)
  request = async () => {
    const response = await fetch(url + path, { method, body: bytes, headers: { authorization: `Bearer ${token}`, ...bytes === undefined ? {} : { 'content-type': 'application/json' } } })
    await response.arrayBuffer()
    return response.status
  }
  parentPort?.postMessage(0)
})
