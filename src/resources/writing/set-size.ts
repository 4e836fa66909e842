/**
 * How many of the next writes to try together, so that few attempts find the refused ones. A refused set is halved. The half that has the
 * refused write is not tried as a whole again. After a refused write, sets begin with one write and double,
 * as long as no write refuses another.
 */
export class SetSize {
  readonly #most: number
  #size: number
  /** The number of next writes that have a refused one among them. 0 if this is not known. */
  #suspects: number

  /**
   * @param most writes of a set
   * @param suspects number of first writes that have a refused one among them, if this is known
   */
  constructor (most: number, suspects = 0) {
    this.#most = most
    this.#size = most
    this.#suspects = suspects
  }

  /** Number of writes to try, at least 1. */
  get next (): number {
    return this.#suspects > 0 ? Math.ceil(this.#suspects / 2) : this.#size
  }

  /** A set of two writes or more is refused as a whole. @param count of its writes */
  failed (count: number): void {
    this.#suspects = count
  }

  /** The problems of a set are known, or it is written. @param count of its writes */
  settled (count: number): void {
    if (this.#suspects === 0) this.#size = Math.min(2 * this.#size, this.#most)
    this.#suspects = Math.max(0, this.#suspects - count)
  }

  /** A single write is refused. @param isKnown whether lookups show it, so that a set can have further ones */
  refused (isKnown = false): void {
    this.#size = isKnown && this.#suspects === 0 ? Math.min(2 * this.#size, this.#most) : 1
    this.#suspects = 0
  }
}
