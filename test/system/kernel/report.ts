import type { Answer } from './client.ts'

/** Increments a counter. */
export function count (counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}

/** Sum of the counters. */
export function sum (counts: Map<string, number>): number {
  return [...counts.values()].reduce((sum, number) => sum + number, 0)
}

/** What the clients of a trial have seen so far. */
export class Report {
  /** Number of answers by method and status, and by server process. */
  readonly answers = new Map<string, number>()
  readonly processes = new Map<string, number>()
  /** Judged reads by kind and status, and acknowledged writes by kind. */
  readonly reads = new Map<string, number>()
  readonly writes = new Map<string, number>()
  /** Acknowledged requests that write, by resource. */
  readonly resources = new Map<string, number>()
  /** When acknowledged writes were sent and answered, by `performance.now()`. */
  readonly acknowledged: Array<{ sent: number, at: number }> = []
  /** What must not happen, one line each. */
  readonly findings: string[] = []
  /** Requests without an answer, because the connection failed or was cut; 503s; replayed answers. */
  unanswered = 0
  unavailable = 0
  replayed = 0
  /** Time in ms of the slowest request until its answer or failure. */
  slowest = 0
  /** Whether requests may have no answer, because the server itself is killed. */
  readonly mayLose: boolean

  constructor (mayLose = false) {
    this.mayLose = mayLose
  }

  /** Counts an answer. @param sent by `performance.now()` */
  answered (method: string, path: string, { status, process }: Answer, sent: number): void {
    count(this.answers, `${method} ${status}`)
    count(this.processes, process)
    if (status === 503) this.unavailable++
    if (method === 'GET' || status >= 300) return
    this.acknowledged.push({ sent, at: performance.now() })
    count(this.resources, path.slice(0, path.indexOf('/')))
  }

  /** Reports a fault, if there is one. */
  readonly found = (fault: string | undefined): void => {
    if (fault !== undefined) this.findings.push(fault)
  }

  /** Whether a write that was sent after this time was acknowledged. */
  wroteSince (time: number): boolean {
    return this.acknowledged.findLast(({ sent }) => sent > time) !== undefined
  }

  /** The longest time in ms between two acknowledgements, from the last one before `since` until now. */
  outageSince (since: number): number {
    const first = this.acknowledged.findLastIndex(({ at }) => at <= since)
    const times = [...this.acknowledged.slice(Math.max(first, 0)).map(({ at }) => at), performance.now()]
    return Math.max(0, ...times.slice(1).map((time, index) => time - times[index]))
  }
}
