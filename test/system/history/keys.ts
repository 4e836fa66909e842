import { told, type Act } from './act.ts'

/**
 * What is wrong with requests under Idempotency-Keys, each with one body: there is one record, or one bulk, a key; its answer is given again from the moment it is
 * there; 409 while it is under way alone.
 */
export function keyFaults (acts: Act[]): string[] {
  const keyed = Map.groupBy(acts.filter(({ key }) => key !== undefined), ({ key }) => key)
  return [...keyed.values()].flatMap((same) => {
    const [original, ...more] = same.filter(({ status, replayed }) => status === 201 && !replayed)
    if (more.length > 0) return more.map(act => `done again under its key: ${told(act)}, first ${told(original as Act)}`)
    return same.filter(act => act !== original).flatMap(act => fault(act, original, same) ?? [])
  })
}

function fault (act: Act, original: Act | undefined, same: Act[]): string | undefined {
  const { status, replayed, sent, answered, answer } = act
  const say = (what: string) => `${what}: ${told(act)}`
  if (replayed) {
    if (original === undefined || answered < original.sent) return say('an answer given again that was never given')
    return JSON.stringify(answer) === JSON.stringify(original.answer) ? undefined : say('another answer under the key')
  }
  if (status === 409) return same.some(other => other !== act && other.sent < answered && sent < other.answered) ? undefined : say('409 for a key that nobody was using')
  return original !== undefined && original.answered < sent ? say('refused, although the key has an answer') : undefined
}
