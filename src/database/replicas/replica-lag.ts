/** Most positions of the primary's log that a replica behind it remembers. */
const mostPositions = 1000

/** Follows how far a replica is behind the primary. Positions of the log are in bytes. */
export class ReplicaLag {
  /** Positions of the primary that the replica has not replayed, and when the primary had the last one that it has replayed. */
  #missing: Array<{ position: number, at: number }> = []
  #replayedAt = performance.now()

  /** Seconds since the primary was where the replica is now; 0 if the replica has replayed everything. */
  get seconds (): number {
    return this.#missing.length === 0 ? 0 : (performance.now() - this.#replayedAt) / 1000
  }

  /** Notes a position of the primary. */
  notePrimary (position: number): void {
    // After a failover or a restore, positions can be lower.
    this.#missing = this.#missing.filter(missing => missing.position <= position)
    if (this.#missing.length < mostPositions) this.#missing.push({ position, at: performance.now() })
  }

  /** Notes a position of the replica. */
  noteReplica (position: number): void {
    const next = this.#missing.findIndex(missing => missing.position > position)
    const replayed = this.#missing.splice(0, next === -1 ? Infinity : next)
    this.#replayedAt = replayed.at(-1)?.at ?? this.#replayedAt
  }
}
