import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { sharedBytes, uploadFile } from './upload-file.ts'

/** An upload: the number of its file, where it goes to, and whether it is sent by tus. */
export interface UploadTask {
  number: number
  url: string
  headers: Record<string, string>
  tus: boolean
}

/** What the thread uploads. */
export interface UploadWork {
  tasks: UploadTask[]
  /** Bytes of each file, and bytes per second of each upload. */
  bytes: number
  rate: number
  /** Bytes of a PATCH. */
  partBytes: number
}

/** The result of an upload. */
export interface Uploaded {
  /** Of its last answer, or of the first that refused it. */
  status: number | undefined
  ms: number
}

/** Pause in ms between two writes of an upload. */
const pauseMs = 100

// Uploads all files at once, each at the same speed, and posts the results.
const { tasks, bytes, rate, partBytes } = workerData as UploadWork
const shared = sharedBytes(bytes)

/** Sends a part of a file slowly, on a connection of its own. @returns the status */
async function send ({ number, url, headers, tus }: UploadTask, from: number, to: number): Promise<number | undefined> {
  const [first] = uploadFile(number, shared.subarray(0, 0)).parts
  const ofPart = tus
    ? { 'tus-resumable': '1.0.0', 'upload-offset': from, 'content-type': 'application/offset+octet-stream' }
    : { 'content-type': 'image/jpeg' }
  const method = tus ? 'PATCH' : 'PUT'
  const sending = request(url, { method, agent: false, headers: { ...headers, ...ofPart, 'content-length': to - from } })
  const answer = new Promise<number | undefined>((resolve) => {
    sending.on('response', (response) => { response.resume().on('end', () => resolve(response.statusCode)) })
    sending.on('error', () => resolve(undefined))
  })
  const began = performance.now()
  for (let at = from; at < to;) {
    const due = Math.min(to, from + Math.ceil((performance.now() - began + pauseMs) * rate / 1000))
    if (at < first.length) sending.write(first.subarray(at, at = Math.min(first.length, due)))
    if (at < due) sending.write(shared.subarray(at - first.length, (at = due) - first.length))
    await sleep(pauseMs)
  }
  sending.end()
  return await answer
}

async function upload (task: UploadTask): Promise<Uploaded> {
  // Real uploads do not begin together.
  await sleep(Math.random() * 1000)
  const began = performance.now()
  let status: number | undefined
  const step = task.tus ? partBytes : bytes
  for (let at = 0; at < bytes; at += step) {
    status = await send(task, at, Math.min(bytes, at + step))
    if (status === undefined || status >= 300) break
  }
  return { status, ms: performance.now() - began }
}

parentPort?.postMessage(await Promise.all(tasks.map(upload)))
