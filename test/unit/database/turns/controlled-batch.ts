import { batch, type BatchOptions } from '../../../../src/database/turns/batch.ts'

/** A batch whose runs the test answers or fails, and the requests of each run. */
export function controlled (options: BatchOptions<number>) {
  const runs: Array<{ asks: number[], startedAt: number, answer: () => void, fail: (error: Error) => void, over: boolean }> = []
  let clock = 0
  const ask = batch(async (asks: number[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<number[]>()
    const run = {
      asks,
      startedAt: clock++,
      over: false,
      answer () { run.over = true; resolve(asks.map(one => one * 10)) },
      fail (error: Error) { run.over = true; reject(error) }
    }
    runs.push(run)
    return await promise
  }, options)
  return { ask, runs, tick: () => clock++, underWay: () => runs.filter(run => !run.over) }
}
