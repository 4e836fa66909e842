import { clientError, headError, isOfProxy, ObraError, proxyError, unwrap } from '../errors.ts'
import type { Exchange } from './exchange.ts'

/** The bytes of the next request. They follow the speed of the network: progress is shown, and a cut loses little. */
export type Pace = { bytes: number }

/** Bytes of a request, which has a part of the file: at first, and limits. */
export const requestBytes = { first: 256 * 1024, least: 32 * 1024, most: 4 * 2 ** 20 }
/** Times in ms: a faster request makes the next one larger, a slower one makes it smaller. */
const [fast, slow] = [1_000, 5_000]

const path = '/api/v1/adjuntos/{id}/contenido/'
const version = { 'Tus-Resumable': '1.0.0' as const }

/** A file to upload. */
interface Source {
  /** Id of its attachment on the server. */
  id: number
  bytes: number
  sha256: string
  /** Undefined if the device no longer has it. */
  read: (start: number, end: number) => Promise<Uint8Array<ArrayBuffer> | undefined>
}

/**
 * Uploads the bytes of a file that the server does not have, by tus 1.0.
 * @param onSent gets the bytes that the server has
 * @returns whether the server has all bytes; false if the device no longer has them
 * @throws {ObraError} if the server does not take them, now or at all
 */
export async function upload (exchange: Exchange, source: Source, pace: Pace, onSent: (sent: number) => Promise<void>): Promise<boolean> {
  const { client, request } = exchange
  const { id, bytes } = source
  let offset = await offsetOf(exchange, source)
  for (let mistakes = 0; offset < bytes;) {
    await onSent(offset)
    const part = await source.read(offset, Math.min(offset + pace.bytes, bytes))
    if (part === undefined) return false
    const began = Date.now()
    const params = { path: { id }, header: { ...version, 'Upload-Offset': offset } }
    const sending = client.PATCH(path, { params, headers: { 'content-type': 'application/offset+octet-stream' }, body: part, ...request() })
    const { error, response } = await sending.catch((error) => {
      if (error.name === 'TimeoutError') slowDown(pace)
      throw error
    })
    if (response.ok) {
      const next = Number(response.headers.get('upload-offset'))
      if (!(next > offset)) throw proxyError(response)
      offset = next
      mistakes = 0
      const time = Date.now() - began
      if (time < fast) pace.bytes = Math.min(pace.bytes * 2, requestBytes.most)
      if (time > slow) slowDown(pace)
    } else if (response.status === 409 && mistakes === 0) {
      // An answer was lost, another tab sends the file too, or another machine of the server has answered.
      mistakes += 1
      offset = await offsetOf(exchange, source)
    } else {
      const failure = new ObraError(error, response)
      // A proxy can have a lower limit than the server.
      const isTooLarge = response.status === 413 && isOfProxy(failure) && part.length > requestBytes.least
      if (response.status === 408 || isTooLarge) slowDown(pace)
      if (!isTooLarge) throw failure
    }
  }
  return true
}

/** The number of bytes that the server has. */
async function offsetOf ({ client, request }: Exchange, { id, sha256 }: Source) {
  const { response } = await client.HEAD(path, { params: { path: { id }, header: version }, ...request() })
  if (!response.ok) {
    // An answer to HEAD has no message. A lasting refusal is also that of the record.
    await unwrap(client.GET('/api/v1/adjuntos/{id}/', { params: { path: { id } }, ...request() }))
    throw headError(response)
  }
  // On a restored server, the id can belong to another attachment. The next copy shows it.
  if (response.headers.get('etag')?.includes(sha256) !== true) throw clientError(409, 'conflict', 'The attachment is of another file.')
  return Number(response.headers.get('upload-offset'))
}

function slowDown (pace: Pace) {
  pace.bytes = Math.max(Math.round(pace.bytes / 2), requestBytes.least)
}
