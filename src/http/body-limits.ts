import { httpError, type HttpError } from './errors.ts'

const KiB = 1024

/** A number of bytes in KiB or MiB. */
export function sizeText (bytes: number): string {
  return bytes < KiB * KiB ? `${bytes / KiB} KiB` : `${bytes / KiB / KiB} MiB`
}

/** The 413 for a body beyond its limit in bytes. */
export function bodyOverLimit (limit: number): HttpError {
  return httpError(413, { key: 'bodyOverLimit', values: { limit: sizeText(limit) } })
}
