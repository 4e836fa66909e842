import type { Report } from './checker.ts'
import type { Answer, Connection } from './connection.ts'
import type { Expectation, Ledger, Row, Shown } from './ledger.ts'

/** A read, and what it must show. */
export interface Read extends Expectation {
  /** What kind it is counted under. */
  kind: string
  path: string
}

interface Remembered extends Shown {
  body: string
  next: string | null
}

/** Reads, conditionally or not, and judges. @returns the path of the next page, when there is one */
export type Reader = (connection: Connection, headers: Record<string, string>, read: Read, conditional: boolean) => Promise<string | undefined>

/** What the readers of a company remember: the latest answer they have seen to each path. A 304 stands for it. */
export function remembering (ledger: Ledger, report: Report, violated: (what: string) => void): Reader {
  const latest = new Map<string, Remembered>()

  return async ({ origin, send }, headers, read, conditional) => {
    const { kind, path } = read
    const before = conditional ? latest.get(path) : undefined
    const known = ledger.known()
    const answer = await send('GET', path, before?.etag === undefined ? headers : { ...headers, 'if-none-match': before.etag })
    count(report.reads, `${kind} ${answer.status}`)
    count(report.processes, answer.process)
    report.total++

    const told = (fault: string) => violated(`${origin} GET ${path} ${answer.status} ${answer.etag ?? ''}: ${fault}`)
    let shown: Remembered
    if (answer.status === 304) {
      if (before === undefined || answer.etag !== before.etag) return told(`304 to ${before?.etag ?? 'an unconditional read'}`) as undefined
      shown = before
    } else {
      const same = latest.get(path)
      if (same?.etag !== undefined && same.etag === answer.etag) {
        if (same.body !== answer.body) return told('another body under the same ETag') as undefined
        shown = same
      } else {
        shown = understood(answer)
        latest.set(path, shown)
      }
    }
    const fault = ledger.judge(shown, known, read)
    if (fault !== undefined) told(fault)
    return shown.next?.replace(/^https?:\/\/[^/]+/, '')
  }
}

function understood ({ status, etag, body }: Answer): Remembered {
  if (status !== 200) return { status, etag, body, rows: [], next: null }
  const { results, count, next = null, ...record } = JSON.parse(body) as { results?: Row[], count?: number, next?: string | null }
  return { status, etag, body, rows: results ?? [record as unknown as Row], count, next }
}

/** Adds one. */
export function count (counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
