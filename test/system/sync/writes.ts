import type { Write } from './audit.ts'
import type { Edit, Ledger } from './ledger.ts'
import type { Wire } from './wire.ts'

/** Columns that change with every write, and computed columns. */
const computed = new Set(['version', 'updated_at', 'busqueda', 'nombre_busqueda', 'nombre_orden'])

/** The changes that each edit has made in one timeline. */
export type Applied = Map<Edit, Write[]>

/**
 * Assigns every change of a timeline to the edit that made it.
 * @returns the changes by edit, and what no correct server does
 */
export function attribute (writes: Write[], ledger: Ledger, wires: Map<string, Wire>): { applied: Applied, faults: string[] } {
  const applied: Applied = new Map()
  const faults: string[] = []
  const removals = new Map<string, Write[]>()
  for (const write of writes) {
    const { op, identity, before, after } = write
    if (op === 'DELETE') {
      removals.set(identity, [...removals.get(identity) ?? [], write])
      continue
    }
    const changed = Object.keys(after ?? {}).filter(column => !computed.has(column) && before?.[column] !== after?.[column])
    const edits = changed.flatMap(column => ledger.byToken.get(after?.[column] ?? '') ?? [])
    if (op === 'INSERT' ? !edits.some(edit => edit.op === 'create') : edits.length < changed.length) faults.push(`nobody made the change of ${changed.join()} in ${describe(write)}`)
    if (op === 'UPDATE' && changed.length === 0) faults.push(`an edit without effect raised the version of ${identity} to ${after?.['version']}`)
    for (const edit of edits) {
      applied.set(edit, [...applied.get(edit) ?? [], write])
      if (edit.identity !== identity || edit.resource !== write.resource) faults.push(`${edit.token} was for ${edit.identity}, but changed ${describe(write)}`)
      if (edit.isKept && edit.company !== write.company) faults.push(`${edit.token} was for company ${edit.company}, but changed company ${write.company}`)
      if (op === 'UPDATE') faults.push(...overwritten(edit, before?.[edit.field] ?? '', ledger, wires))
    }
  }
  for (const [edit, made] of applied) if (made.length > 1) faults.push(`${edit.token} was applied ${made.length} times: ${made.map(describe).join('; ')}`)
  for (const edit of ledger.all.filter(({ op }) => op === 'remove')) if (removals.has(edit.identity)) applied.set(edit, removals.get(edit.identity) as Write[])
  for (const [identity, made] of removals) {
    if (!ledger.all.some(edit => edit.op === 'remove' && edit.identity === identity)) faults.push(`nobody removed ${identity}`)
    if (made.length > 1) faults.push(`${identity} was removed ${made.length} times`)
  }
  return { applied, faults }
}

/** Faults of an edit that replaced a value which is not the base that it was sent with, or which its phone had never seen. */
function overwritten (edit: Edit, value: string, ledger: Ledger, wires: Map<string, Wire>): string[] {
  const { carriers, seen } = wires.get(edit.phone) as Wire
  const bases = [...carriers.get(edit) ?? []].map(({ content }) => content.base?.[edit.field])
  const other = ledger.byToken.get(value)
  const faults: string[] = []
  if (!bases.some(base => base === undefined || base === value)) faults.push(`${edit.token} was an edit of ${bases.join()}, but replaced ${value}`)
  if (other !== undefined && other.phone !== edit.phone && !seen.has(other)) faults.push(`${edit.token} replaced ${value}, which ${edit.phone} had never seen`)
  return faults
}

function describe ({ seq, op, identity, before, after }: Write): string {
  return `${seq} ${op} ${identity} ${before?.['version'] ?? ''}→${after?.['version'] ?? ''}`
}
