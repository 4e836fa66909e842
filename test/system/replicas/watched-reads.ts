import type { Replica } from '../../../src/database/replicas/replica.ts'
import { until } from '../../support/until.ts'

/**
 * Watches the reads of a server with one replica.
 * @param read sends a request that reads from the database
 */
export function watchReads (replica: Replica, read: () => Promise<unknown>) {
  /** What the replica did during `work`. */
  async function during (work: () => Promise<unknown>): Promise<Replica['reads']> {
    const before = { ...replica.reads }
    await work()
    return { answered: replica.reads.answered - before.answered, stale: replica.reads.stale - before.stale, failed: replica.reads.failed - before.failed }
  }

  /** Repeats `work`, up to five times in all, if the replica was left out meanwhile: on a slow machine a probe can fail. */
  async function steadily<T> (work: () => Promise<T>): Promise<T> {
    for (let times = 1; ; times++) {
      await until(() => replica.health.isAvailable)
      let isSteady = true
      const note = () => { isSteady = false }
      replica.health.once('left', note)
      const result = await work()
      replica.health.off('left', note)
      if (isSteady || times === 5) return result
    }
  }

  /** Waits until the replica answers reads. */
  async function caughtUp (): Promise<void> {
    await until(() => replica.health.isAvailable)
    // After another revision, the replica is not asked for 100 ms.
    await until(async () => (await during(read)).answered === 1)
  }

  /** Runs `work` with the replica left out. */
  async function fromPrimary<T> (work: () => Promise<T>): Promise<T> {
    const mayAnswer = replica.mayAnswer
    replica.mayAnswer = () => false
    try {
      return await work()
    } finally {
      replica.mayAnswer = mayAnswer
    }
  }

  return { during, steadily, caughtUp, fromPrimary }
}
