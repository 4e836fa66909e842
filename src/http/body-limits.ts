import { httpError, type HttpError } from './errors.ts'

const KiB = 1024

/** Body limits in bytes by kind of route. Valid bodies are much shorter: a password of 1,024 characters, all escaped, has 12 KiB. */
export const bodyLimits = {
  token: 16 * KiB,
  password: 32 * KiB,
  /** The default. */
  record: 128 * KiB,
  /** A record that clients can send back with the objects nested in the answer. */
  nested: KiB * KiB,
  mutations: 4 * KiB * KiB,
  bulk: 16 * KiB * KiB
} as const

/** The 413 for a body beyond its limit in bytes. */
export function bodyOverLimit (limit: number): HttpError {
  const text = limit < KiB * KiB ? `${limit / KiB} KiB` : `${limit / KiB / KiB} MiB`
  return httpError(413, { key: 'bodyOverLimit', values: { limit: text } })
}
