import { request as httpRequest, type ClientRequest } from 'node:http'
import { Upload, type DetailedError } from 'tus-js-client'

/** Where a resumable upload goes to. */
export interface Target {
  /** The URL of the file of an attachment. */
  url: string
  token: string
}

/** The result of a client of tus: the offsets of its PATCH requests, and its error. */
export interface TusResult {
  offsets: number[]
  error?: { status: number | undefined, body: any }
}

/**
 * Uploads a file with tus-js-client until it is complete or refused.
 * @param chunkSize bytes of a request. Default: all
 * @param options more options of the client
 */
export async function sendByTus ({ url, token }: Target, file: Buffer, chunkSize = Infinity, options: ConstructorParameters<typeof Upload>[1] = {}): Promise<TusResult> {
  const offsets: number[] = []
  return await new Promise((resolve) => {
    new Upload(file, {
      uploadUrl: url,
      chunkSize,
      headers: { authorization: `Bearer ${token}` },
      retryDelays: Array.from({ length: 100 }, () => 50),
      ...options,
      onBeforeRequest: (request) => {
        const offset = request.getHeader('Upload-Offset')
        if (request.getMethod() === 'PATCH' && offset !== undefined) offsets.push(Number(offset))
      },
      onSuccess: () => resolve({ offsets }),
      onError: (error) => {
        const response = (error as DetailedError).originalResponse
        resolve({ offsets, error: { status: response?.getStatus(), body: response === null || response === undefined ? error.message : JSON.parse(response.getBody() || 'null') } })
      }
    }).start()
  })
}

/** Begins a PATCH with a part of a file, which stays open. @param sent bytes that are sent at once. The rest of the part is announced only. */
export function beginPart ({ url, token }: Target, part: Buffer, sent: number, offset = 0): { request: ClientRequest, answer: Promise<number | undefined> } {
  const headers = { ...partHeaders(offset), authorization: `Bearer ${token}`, 'content-length': part.length }
  const request = httpRequest(url, { method: 'PATCH', headers, agent: false })
  const answer = new Promise<number | undefined>((resolve) => {
    request.on('response', (response) => { response.resume().on('end', () => resolve(response.statusCode)) }).on('error', () => resolve(undefined))
  })
  request.write(part.subarray(0, sent))
  return { request, answer }
}

/** The headers of a PATCH. */
export function partHeaders (offset: number): Record<string, string> {
  return { 'tus-resumable': '1.0.0', 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
}
