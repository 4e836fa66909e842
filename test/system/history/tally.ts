import { count } from '../freshness/reader.ts'
import type { Act } from './act.ts'

/** In which ways those who compete are told so. */
const kinds: Record<string, (act: Act) => boolean> = {
  304: ({ status }) => status === 304,
  412: ({ status }) => status === 412,
  'refused a circle': act => isRefused(act, 'parent'),
  'refused more than the contract is for': act => act.path.startsWith('estimates') && isRefused(act, 'monto'),
  'answered from its key': ({ replayed }) => replayed,
  '409 for a key under way': ({ status, key }) => status === 409 && key !== undefined
}

const isRefused = ({ status, answer }: Act, field: string) => status === 400 && field in answer.errors

/** Counts them. */
export function tally (acts: Act[], counts = new Map<string, number>()): Map<string, number> {
  for (const act of acts) {
    for (const [kind, is] of Object.entries(kinds)) {
      if (is(act)) count(counts, kind)
    }
  }
  return counts
}
