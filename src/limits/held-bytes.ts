const MiB = 2 ** 20

/** Limits for one caller, and for all callers of this process. */
const mostOfOne = 32 * MiB
const mostOfAll = 256 * MiB

/**
 * Counts bytes in memory by caller: large bodies in progress, and large answers that the client has not read yet. A slow client keeps
 * them for long.
 */
export class HeldBytes<Caller> {
  readonly #held = new Map<Caller, number>()
  #total = 0

  /**
   * Whether the limits allow more bytes of a caller. A caller's only message may exceed the caller's limit. It may exceed the total limit
   * only if nothing else is held.
   */
  hasRoom (caller: Caller, bytes: number): boolean {
    const held = this.#held.get(caller) ?? 0
    return (held === 0 || held + bytes <= mostOfOne) && (this.#total === 0 || this.#total + bytes <= mostOfAll)
  }

  /** Adds bytes to a caller's count. @returns a function that releases them; call it once */
  hold (caller: Caller, bytes: number): () => void {
    this.#change(caller, bytes)
    return () => this.#change(caller, -bytes)
  }

  #change (caller: Caller, bytes: number): void {
    this.#total += bytes
    const held = (this.#held.get(caller) ?? 0) + bytes
    if (held === 0) this.#held.delete(caller)
    else this.#held.set(caller, held)
  }
}
