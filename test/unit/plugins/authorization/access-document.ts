import { accessTable, higher, type AccessRow, type Whose } from './access-table.ts'

/** The table of docs/reference/access.md: requests by the levels that may send them. Run directly, this file prints it. */
export function accessDocument (): string {
  const byRequest = Map.groupBy(accessTable, ({ method, path, to, whose }) => `${method} ${nameOf(path, to, whose)}`)
  const requests = [...byRequest.values()].map((rows) => {
    const [{ method, path, to, whose }] = rows as [AccessRow]
    const [own, other] = [rows.filter(isOwn), rows.filter(row => !isOwn(row))]
    return { method, name: nameOf(path, to, whose), levels: `${levelsOf(own)} | ${levelsOf(other)}` }
  })
  const byLevels = Map.groupBy(requests, ({ name, levels }) => `${name} | ${levels}`)
  const paths = [...byLevels.values()].map((same) => {
    const [{ name, levels }] = same as [typeof requests[number]]
    return { name, rest: `${same.map(({ method }) => method).join(', ')} | ${levels}` }
  })
  const lines = [...Map.groupBy(paths, ({ rest }) => rest)].map(([rest, same]) => `| ${same.map(({ name }) => name).join(', ')} | ${rest} |`)
  return ['| Path | Methods | Own records | Other records |', '|---|---|---|---|', ...lines].join('\n')
}

function nameOf (path: string, to: string | undefined, whose: Whose): string {
  return `\`${path}\`${to === undefined ? '' : ` to \`${to}\``}${whose === higher ? ' of a higher level' : ''}`
}

/** Whether the record belongs to the caller's company or customer. */
function isOwn ({ whose }: AccessRow): boolean {
  return !whose.startsWith('other')
}

/** The levels that succeed in every row, as `2–4, 6`; an empty text for no rows. */
function levelsOf (rows: AccessRow[]): string {
  if (rows.length === 0) return ''
  if (rows.every(({ statuses }) => statuses.every(status => status === 405))) return '405'
  const succeeds = (column: number) => rows.every(({ statuses }) => statuses[column] < 300)
  if (succeeds(0)) return 'all users'
  const levels = [1, 2, 3, 4, 5, 6].filter(succeeds)
  const first = levels.filter(level => !levels.includes(level - 1))
  const ranges = first.map((start) => {
    const end = levels.find(level => level >= start && !levels.includes(level + 1)) as number
    return end === start ? `${start}` : `${start}–${end}`
  })
  return ranges.length === 0 ? 'none' : ranges.join(', ')
}

if (import.meta.main) process.stdout.write(`${accessDocument()}\n`)
