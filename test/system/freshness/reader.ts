import type { Report } from './checker.ts'
import type { Answer, Connection } from './connection.ts'
import type { Expectation, Ledger, Row, Shown } from './ledger.ts'

/** A read and what it must show. */
export interface Read extends Expectation {
  /** The kind under which it is counted. */
  kind: string
  path: string
}

interface Remembered extends Shown {
  body: string
  next: string | null
}

/** Sends a read, conditional or not, and checks the answer. @returns the path of the next page, if any */
export type Reader = (connection: Connection, headers: Record<string, string>, read: Read, conditional: boolean) => Promise<string | undefined>

/** A reader that keeps the latest answer for each path, to compare it with a 304. */
export function createReader (ledger: Ledger, report: Report, violated: (what: string) => void): Reader {
  const latest = new Map<string, Remembered>()

  return async ({ origin, send }, headers, read, conditional) => {
    const { kind, path } = read
    const before = conditional ? latest.get(path) : undefined
    const known = ledger.known()
    const answer = await send('GET', path, before?.etag === undefined ? headers : { ...headers, 'if-none-match': before.etag })
    count(report.reads, `${kind} ${answer.status}`)
    count(report.processes, answer.process)
    report.total++

    const fail = (fault: string) => violated(`${origin} GET ${path} ${answer.status} ${answer.etag ?? ''}: ${fault}`)
    let shown: Remembered
    if (answer.status === 304) {
      if (before === undefined || answer.etag !== before.etag) return fail(`304 to ${before?.etag ?? 'an unconditional read'}`) as undefined
      shown = before
    } else {
      const same = latest.get(path)
      if (same?.etag !== undefined && same.etag === answer.etag) {
        if (same.body !== answer.body) return fail('another body with the same ETag') as undefined
        shown = same
      } else {
        shown = parse(answer)
        latest.set(path, shown)
      }
    }
    const fault = ledger.judge(shown, known, read)
    if (fault !== undefined) fail(fault)
    return shown.next?.replace(/^https?:\/\/[^/]+/, '')
  }
}

function parse ({ status, etag, body }: Answer): Remembered {
  if (status !== 200) return { status, etag, body, rows: [], next: null }
  const { results, count, next = null, ...record } = JSON.parse(body) as { results?: Row[], count?: number, next?: string | null }
  return { status, etag, body, rows: results ?? [record as unknown as Row], count, next }
}

/** Increments a counter. */
export function count (counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
