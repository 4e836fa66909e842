/** The most lines that are kept. */
const most = 50_000

/** The logs of servers, by request. */
export class Log {
  readonly #errors = new Map<string, string>()
  readonly #parts = new Map<object, string>()

  /** A function that adds output of one server. */
  reader (): (text: string) => void {
    const key = {}
    return (text) => {
      const lines = ((this.#parts.get(key) ?? '') + text).split('\n')
      this.#parts.set(key, lines.pop() as string)
      for (const line of lines) this.#addLine(line)
    }
  }

  #addLine (line: string): void {
    try {
      const { reqId, err } = JSON.parse(line)
      if (reqId === undefined || err === undefined) return
      this.#errors.set(reqId, `${err.code ?? ''} ${err.stack}${err.cause === undefined ? '' : ` caused by ${err.cause.code ?? ''} ${err.cause.stack}`}`)
      if (this.#errors.size > most) this.#errors.delete(this.#errors.keys().next().value as string)
    } catch {} // no JSON
  }

  /** Adds the logged error to a finding that names a request. */
  explain (finding: string): string {
    const error = this.#errors.get(/, request (\S+)$/.exec(finding)?.[1] ?? '')
    return error === undefined ? finding : `${finding}: ${error}`
  }
}
