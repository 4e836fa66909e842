import { sequenceUsage } from '../../database/connection/sequences.ts'
import type { Query } from './query.ts'
import { findingsOf, type Finding } from './finding.ts'

/** Checks how many ids each sequence has left. */
export async function examineSequences (query: Query): Promise<Finding[]> {
  const { ok } = findingsOf('sequences')
  const findings = (await query(sequenceUsage)).flatMap(({ name, share }) => judgeUsage(name, share) ?? [])
  return findings.length > 0 ? findings : [ok('each sequence has more than half of its ids left')]
}

/** @param share used share of the sequence's range, from 0 to 1 */
export function judgeUsage (name: string, share: number): Finding | undefined {
  const { warning, failed } = findingsOf('sequences')
  if (share < 0.5) return undefined
  const fact = `${name} has used ${Math.floor(share * 100)} % of its ids; at 100 % creates fail`
  const text = `${fact}: upgrade to a version with wider ids, or report it`
  return share < 0.9 ? warning(text) : failed(text)
}
