import { limits } from '../../config/limits.ts'

const minute = 60
const hour = 60 * minute

/** Pauses in seconds after the first failures. Later ones are an hour. */
const pauses = [5, 30, 2 * minute, 10 * minute, 30 * minute]

/** Time in seconds after which a webhook that always fails is switched off. */
export const maxFailingSeconds = limits.webhooks.failingMs / 1000

/**
 * Seconds until the next attempt, ±20 %, so that attempts spread.
 * @param failures failed attempts so far, at least 1
 * @param retryAfter pause in ms that the receiver asks for, instead of the schedule; 1 s to an hour
 */
export function retryPauseSeconds (failures: number, retryAfter?: number, random = Math.random()): number {
  if (retryAfter !== undefined) return Math.min(Math.max(retryAfter / 1000, 1), hour)
  return (pauses[failures - 1] ?? hour) * (0.8 + random * 0.4)
}
