import { performance } from 'node:perf_hooks'

/** Milliseconds of work from which the pace of answers is known. */
const measured = 200

/** How fast the process answers while it is busy; until that is known, as fast as one likes. */
export class Pace {
  /** Answers since it was last measured. */
  answered = 0
  #since = performance.eventLoopUtilization()
  #perMillisecond = Infinity

  /** @returns how many answers so many milliseconds of work bring */
  answersIn (milliseconds: number): number {
    const now = performance.eventLoopUtilization()
    const { active, utilization } = performance.eventLoopUtilization(now, this.#since)
    if (active >= measured) {
      // What little is done in a quiet night says nothing of how much can be.
      if (utilization > 0.5) this.#perMillisecond = this.answered / active
      this.answered = 0
      this.#since = now
    }
    return this.#perMillisecond * milliseconds
  }
}
