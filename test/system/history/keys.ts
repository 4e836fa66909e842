import { describe, type Act } from './act.ts'

/**
 * Checks requests with Idempotency-Keys, where each key has one body: a key creates once, its answer is replayed once it exists,
 * and 409 occurs only while another request with the key is in progress. @returns the faults, one line each
 */
export function keyFaults (acts: Act[]): string[] {
  const keyed = Map.groupBy(acts.filter(({ key }) => key !== undefined), ({ key }) => key)
  return [...keyed.values()].flatMap((same) => {
    const [original, ...more] = same.filter(({ status, replayed }) => status === 201 && !replayed)
    if (more.length > 0) return more.map(act => `executed again for the same key: ${describe(act)}, first ${describe(original)}`)
    return same.filter(act => act !== original).flatMap(act => fault(act, original, same) ?? [])
  })
}

function fault (act: Act, original: Act | undefined, same: Act[]): string | undefined {
  const { status, replayed, sent, answered, answer } = act
  const report = (what: string) => `${what}: ${describe(act)}`
  if (replayed) {
    if (original === undefined || answered < original.sent) return report('a replay without a first answer')
    return JSON.stringify(answer) === JSON.stringify(original.answer) ? undefined : report('another answer for the same key')
  }
  if (status === 409) return same.some(other => other !== act && other.sent < answered && sent < other.answered) ? undefined : report('409 for a key that is not in use')
  return original !== undefined && original.answered < sent ? report('refused although the key has an answer') : undefined
}
