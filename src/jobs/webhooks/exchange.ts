import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { limits } from '../../config/limits.ts'

/** An answer with status and headers, and the beginning of its body. */
export interface ReceiverAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Read bytes of a body. */
const maxBodyBytes = limits.webhooks.answerBytes

/** Limit of 1xx answers before the final one. */
const maxInterim = 8

/**
 * Sends a request and reads the first kilobyte of the answer.
 * @param signal ends the exchange. After the headers of the answer, the part of the body so far is enough
 * @throws the reason of the signal, or the error of the connection, if there are no headers
 */
export async function exchange (request: ClientRequest, body: string, signal: AbortSignal): Promise<ReceiverAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ReceiverAnswer>()
  const read: Buffer[] = []
  let response: IncomingMessage | undefined
  let size = 0
  let interim = 0

  const end = (error: unknown) => {
    if (response === undefined) reject(error)
    else resolve({ status: response.statusCode ?? 0, headers: response.headers, body: textOf(read) })
  }
  // Without an own end, a request would wait for a socket that never comes.
  const abort = () => {
    end(signal.reason)
    request.destroy()
  }
  request.on('response', (incoming) => {
    response = incoming
    incoming.on('error', end).on('close', end).on('data', (chunk: Buffer) => {
      read.push(chunk.subarray(0, maxBodyBytes - size))
      size += chunk.length
      if (size < maxBodyBytes) return
      end(undefined)
      request.destroy()
    })
  })
  request.on('information', () => {
    if (++interim > maxInterim) request.destroy(Object.assign(new Error('too many interim answers'), { code: 'TOO_MANY_INTERIM_ANSWERS' }))
  })
  request.on('upgrade', (_response, socket) => {
    socket.destroy()
    end(Object.assign(new Error('the receiver changed the protocol'), { code: 'UPGRADED' }))
  })
  request.on('error', end)
  request.on('close', () => end(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))

  signal.addEventListener('abort', abort)
  try {
    if (signal.aborted) abort()
    else request.end(body)
    return await promise
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** UTF-8 without NUL, which PostgreSQL cannot store. Invalid bytes are replaced, also of a character that the limit cuts. */
function textOf (read: Buffer[]): string {
  return new TextDecoder().decode(Buffer.concat(read)).replaceAll('\0', '')
}
