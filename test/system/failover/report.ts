/** What the clients of a trial have seen so far. */
export class Report {
  /** Number of answers, by method and status. */
  readonly answers = new Map<string, number>()
  /** What must not happen, one line each. */
  readonly findings: string[] = []
  /** When acknowledged writes were sent and answered, by `performance.now()`. */
  readonly acknowledged: Array<{ sent: number, at: number }> = []
  /** Time in ms of the slowest request. */
  slowest = 0
  requests = 0

  count (what: string): void {
    this.answers.set(what, (this.answers.get(what) ?? 0) + 1)
  }

  /** Number of answers whose name ends with this text. */
  total (text: string): number {
    return [...this.answers].reduce((sum, [name, count]) => name.endsWith(text) ? sum + count : sum, 0)
  }

  /** Whether a write that was sent after this time was acknowledged. */
  wroteSince (time: number): boolean {
    return this.acknowledged.findLast(({ sent }) => sent > time) !== undefined
  }

  /** The longest time in ms between two acknowledgements, from the last one before `since` until now. */
  outageSince (since: number): number {
    const first = this.acknowledged.findLastIndex(({ at }) => at <= since)
    const times = [...this.acknowledged.slice(Math.max(first, 0)).map(({ at }) => at), performance.now()]
    return Math.max(0, ...times.slice(1).map((time, index) => time - (times[index] as number)))
  }
}
