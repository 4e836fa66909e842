/** Counts of what callers have open, each with a limit. */
export class OpenCounts<Name> {
  /** Most of one name. */
  readonly maxPerName: number
  readonly #open = new Map<Name, number>()

  constructor (maxPerName: number) {
    this.maxPerName = maxPerName
  }

  /** Whether one more is allowed. */
  hasRoom (name: Name): boolean {
    return (this.#open.get(name) ?? 0) < this.maxPerName
  }

  add (name: Name): void {
    this.#open.set(name, (this.#open.get(name) ?? 0) + 1)
  }

  remove (name: Name): void {
    const count = (this.#open.get(name) ?? 0) - 1
    if (count > 0) this.#open.set(name, count)
    else this.#open.delete(name)
  }
}
