import { count } from '../kernel/report.ts'
import type { Act } from './act.ts'
import { hasWritten } from './replay.ts'

/** Kinds of conflict between competing requests. */
const kinds: Record<string, (act: Act) => boolean> = {
  304: ({ status }) => status === 304,
  412: ({ status }) => status === 412,
  'refused cycle': act => isRefused(act, 'parent'),
  'refused excess over the contract amount': act => act.path.startsWith('estimates') && isRefused(act, 'monto'),
  'replayed for its key': ({ replayed }) => replayed,
  '409 for a key in use': ({ status, key }) => status === 409 && key !== undefined,
  'refused line of a sent estimate': ({ status, path }) => status === 409 && path.startsWith('generadores/'),
  'refused advance above the agreed one': act => act.path.startsWith('estimates') && isRefused(act, 'anticipo'),
  'refused return': act => act.path.startsWith('movimientos') && isRefused(act, 'importe'),
  'refused movement of a sent estimate': ({ status, path }) => status === 409 && path.startsWith('movimientos/'),
  'settled contract': ({ body, answer, status }) => status === 200 && body?.estado === 'autorizada' && answer.tipo === 'finiquito',
  'refused record of a closed contract': act => act.method === 'POST' && isRefused(act, 'contract'),
  'refused payment': act => act.path.startsWith('pagos/') && act.status === 400,
  'refused row of a closed catalogue': ({ status, path }) => status === 409 && path.startsWith('conceptos/')
}

const isRefused = ({ status, answer }: Act, field: string) => status === 400 && field in answer.errors

/** Counts the conflicts in a history, and the writes of each resource. */
export function tally (acts: Act[], counts = new Map<string, number>()): Map<string, number> {
  for (const act of acts) {
    for (const [kind, is] of Object.entries(kinds)) {
      if (is(act)) count(counts, kind)
    }
    if (hasWritten(act)) count(counts, `${act.path.slice(0, act.path.indexOf('/'))} written`)
  }
  return counts
}
