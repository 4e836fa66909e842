const minute = 60
const hour = 60 * minute

/** Pauses in seconds after the first failures. Later ones are an hour. */
const pauses = [5, 30, 2 * minute, 10 * minute, 30 * minute]

/** Failures after which a receiver can no longer shorten the pauses. */
const mostShortened = 10

/** Time in seconds after which a webhook that always fails is switched off. */
export const longestFailing = 5 * 24 * hour

/**
 * Seconds until the next attempt, ±20 %, so that attempts spread.
 * @param failures failed attempts so far, at least 1
 * @param retryAfter pause in ms that the receiver asks for, instead of the schedule of the first failures; at most an hour
 */
export function pauseAfter (failures: number, retryAfter?: number, random = Math.random()): number {
  const planned = (pauses[failures - 1] ?? hour) * (0.8 + random * 0.4)
  if (retryAfter === undefined) return planned
  return failures <= mostShortened ? Math.min(retryAfter / 1000, hour) : planned
}
