/**
 * The options of a request, such that a file in `body` is sent unchanged. A file is a `Blob`, by default under its own media type, or a
 * `Uint8Array`, because React Native makes no `Blob` of bytes. Other bodies are JSON.
 */
export function asSent (options: { body?: unknown, headers?: object }): object {
  const { body, headers } = options
  if (!(body instanceof Blob || ArrayBuffer.isView(body))) return options
  const type = (body instanceof Blob && body.type) || 'application/octet-stream'
  const given = headers instanceof Headers ? Object.fromEntries(headers) : headers
  return { ...options, bodySerializer: () => body, headers: { 'content-type': type, ...given } }
}
